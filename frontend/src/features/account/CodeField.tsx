import './account.css';

import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';

/** Input for a code from the authenticator app or, if the user prefers, a recovery code. */
export function CodeField({ field, invalid }: { field: UseFormRegisterReturn; invalid: boolean }) {
  const [isRecovery, setRecovery] = useState(false);
  return (
    <>
      <label className="field">
        <span>{isRecovery ? <Trans>Recovery code</Trans> : <Trans>Six-digit code from your app</Trans>}</span>
        <input type="text" inputMode={isRecovery ? 'text' : 'numeric'} autoComplete={isRecovery ? 'off' : 'one-time-code'} autoCapitalize="none" spellCheck={false} aria-invalid={invalid} {...field} />
      </label>
      <p>
        <button type="button" className="linklike" onClick={() => { setRecovery(!isRecovery); }}>
          {isRecovery ? <Trans>Use a code from the app</Trans> : <Trans>Use a recovery code</Trans>}
        </button>
      </p>
    </>
  );
}
