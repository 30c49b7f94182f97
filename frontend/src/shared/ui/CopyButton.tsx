import { Trans } from '@lingui/react/macro';
import { type ReactNode, useId, useState } from 'react';

/** Button that copies a text; if the browser refuses, the text can be selected beside the button. */
export function CopyButton({ text, describedBy }: { text: string; describedBy?: string }) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('failed');
    }
  };
  return (
    <>
      <button type="button" className="button button--quiet" aria-describedby={describedBy} onClick={() => void copy()}>
        {outcome === 'copied' ? <Trans>Copied</Trans> : <Trans>Copy</Trans>}
      </button>
      <span role="status" className="visually-hidden">
        {outcome === 'copied' && <Trans>Copied to the clipboard.</Trans>}
        {outcome === 'failed' && <Trans>The text could not be copied. Please select it and copy it yourself.</Trans>}
      </span>
    </>
  );
}

/** A password, token or link that is shown once, with a copy button. */
export function Secret({ label, text }: { label: ReactNode; text: string }) {
  const id = useId();
  return (
    <div className="secret" role="status">
      <p>{label}</p>
      <p className="secret__line">
        <code id={id}>{text}</code>
        <CopyButton text={text} describedBy={id} />
      </p>
    </div>
  );
}
