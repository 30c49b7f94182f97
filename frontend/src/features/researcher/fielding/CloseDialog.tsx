import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';

export function CloseDialog({ onClose, onCancel }: { onClose: () => void; onCancel: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="close-title" onCancel={onCancel}>
      <h2 id="close-title">
        <Trans>Close this study permanently?</Trans>
      </h2>
      <p>
        <Trans>No one can start a session any more, and the study cannot be opened again. To stop temporarily, pause it instead. All votes are kept.</Trans>
      </p>
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={onCancel}>
          <Trans>Keep it as it is</Trans>
        </button>
        <button type="button" className="button button--grave" onClick={onClose}>
          <Trans>Close permanently</Trans>
        </button>
      </div>
    </dialog>
  );
}
