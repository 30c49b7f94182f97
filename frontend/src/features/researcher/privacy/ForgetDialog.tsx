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
        <Plural value={count} one="Forget # recruiter id for good?" other="Forget # recruiter ids for good?" />
      </h2>
      <p>
        <Trans>
          Pay everybody first: afterwards nobody can tell whom to pay, and a recruited person could take part again. It holds for other studies of the same people too. All votes are kept.
        </Trans>
      </p>
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={onCancel}>
          <Trans>Keep them</Trans>
        </button>
        <button type="button" className="button button--grave" onClick={onForget}>
          <Trans>Forget for good</Trans>
        </button>
      </div>
    </dialog>
  );
}
