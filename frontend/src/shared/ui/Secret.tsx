import { type ReactNode, useId } from 'react';

import { CopyButton } from './CopyButton';

/** A password or token that is shown this once, and a button that copies it. */
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
