import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useId, useRef } from 'react';

/** A modal dialog with a heading and a button that closes it. */
export function WideDialog({ title, onClose, children }: { title: ReactNode; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog dialog--wide" aria-labelledby={id} onClose={onClose}>
      <div className="dialog__head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="button button--quiet button--small" onClick={() => { dialog.current?.close(); }}>
          <Trans>Close</Trans>
        </button>
      </div>
      {children}
    </dialog>
  );
}
