import { Plural, Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';

export function ForgetDialog({ count, onForget, onCancel }: { count: number; onForget: () => void; onCancel: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="forget-title" onCancel={onCancel}>
      <h2 id="forget-title">
        <Plural value={count} one="Permanently delete # ID of the recruiter?" other="Permanently delete # IDs of the recruiter?" />
      </h2>
      <p>
        <Trans>
          Pay all participants first: without the IDs, nobody knows whom to pay, and a recruited person could take part again. This also affects other studies with the same participants. All votes are kept.
        </Trans>
      </p>
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={onCancel}>
          <Trans>Keep them</Trans>
        </button>
        <button type="button" className="button button--grave" onClick={onForget}>
          <Trans>Delete permanently</Trans>
        </button>
      </div>
    </dialog>
  );
}
