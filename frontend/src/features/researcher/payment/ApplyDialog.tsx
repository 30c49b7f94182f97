import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';

/** Asks for confirmation before participants are paid. */
export function ApplyDialog({ children, onApply, onCancel }: { children: ReactNode; onApply: () => void; onCancel: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="apply-title" onCancel={onCancel}>
      <h2 id="apply-title">
        <Trans>Pay on Prolific?</Trans>
      </h2>
      <p>
        {children} <Trans>This cannot be undone.</Trans>
      </p>
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </button>
        <button type="button" className="button button--grave" onClick={onApply}>
          <Trans>Approve and ask</Trans>
        </button>
      </div>
    </dialog>
  );
}
