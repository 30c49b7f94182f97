import { Trans } from '@lingui/react/macro';
import { useEffect, useId, useRef } from 'react';

/** Asks for confirmation before turning off the second factor of another account. */
export function OffDialog({ username, onOff, onCancel }: { username: string; onOff: () => void; onCancel: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onCancel={onCancel}>
      <h2 id={id}>
        <Trans>Turn off the second factor of {username}?</Trans>
      </h2>
      <p>
        <Trans>The password alone is then enough to log in. Do this only if you are sure that the request comes from {username}, for example after losing a phone. It is recorded in the audit log.</Trans>
      </p>
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </button>
        <button type="button" className="button button--grave" onClick={onOff}>
          <Trans>Turn off</Trans>
        </button>
      </div>
    </dialog>
  );
}
