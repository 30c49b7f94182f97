import { type ReactNode, useEffect, useRef, useState } from 'react';

interface Props {
  title: ReactNode;
  children: ReactNode;
  /** Text to type before the button is enabled, with its label; omitted if a click is enough. */
  typed?: { text: string; label: ReactNode };
  action: ReactNode;
  cancel: ReactNode;
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks for confirmation before an action that cannot be undone easily. It contains no text, because shared texts are in the participants' catalog. */
export function ConfirmDialog({ title, children, typed, action, cancel, busy, error, onConfirm, onCancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const ready = !busy && (typed === undefined || text.trim() === typed.text);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="confirm-title" onCancel={onCancel}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) onConfirm();
        }}
      >
        <h2 id="confirm-title">{title}</h2>
        {children}
        {typed !== undefined && (
          <label className="field">
            <span>{typed.label}</span>
            <input type="text" autoComplete="off" autoCapitalize="none" spellCheck={false} value={text} onChange={(event) => { setText(event.target.value); }} />
          </label>
        )}
        {error !== null && (
          <p role="alert" className="field-error">
            {error.message}
          </p>
        )}
        <div className="actions">
          <button type="button" className="button button--quiet" onClick={onCancel}>
            {cancel}
          </button>
          <button type="submit" className="button button--grave" disabled={!ready}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}
