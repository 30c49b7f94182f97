import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { answer, api } from '../../shared/api/client';
import type { Promises } from '../../shared/api/contract.gen';
import { ApiError } from '../../shared/api/error';
import { PageHeading } from '../../shared/ui/page';

/** Asks for the completion code if the browser does not know the session. */
export function CodeForm({ onFound }: { onFound: (completionCode: string, promises: Promises) => void }) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const look = useMutation({
    mutationFn: (completion_code: string) => answer(api.POST('/api/withdrawals/lookup', { body: { completion_code } })),
    onSuccess: (promises, typed) => { onFound(typed, promises); },
    // the button that had the focus is disabled while the code is looked up
    onError: () => { field.current?.focus(); },
  });
  const sentence = (error: Error) => {
    if (error instanceof ApiError && error.code === 'unknown_code') return t`There is no session with this code. Please check what you entered.`;
    if (error instanceof ApiError && error.status === 429) return t`Too many unknown codes were entered. Please wait ten minutes.`;
    return t`The code could not be checked. Please try again.`;
  };
  return (
    <>
      <PageHeading>
        <Trans>Withdraw and have your answers erased</Trans>
      </PageHeading>
      <p>
        <Trans>Enter the completion code that you saw at the end of the study. Nothing is erased before you have confirmed it.</Trans>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          look.mutate(code);
        }}
      >
        <label className="withdraw__code">
          <span>{t`Completion code`}</span>
          <input
            ref={field}
            aria-invalid={look.isError}
            aria-describedby={look.isError ? 'code-error' : undefined}
            type="text" required maxLength={64} autoComplete="off" autoCapitalize="characters" spellCheck={false} value={code} onChange={(event) => { setCode(event.target.value); }} />
        </label>
        <div role="alert" id="code-error">{look.error !== null && <p className="field-error">{sentence(look.error)}</p>}</div>
        <div className="actions">
          <button type="submit" className="button" disabled={code.trim() === '' || look.isPending}>
            <Trans>Continue</Trans>
          </button>
        </div>
      </form>
      <p className="facts">
        <Trans>Without a code: open this page in the browser in which you took part, or write to the contact named in the study.</Trans>
      </p>
    </>
  );
}
