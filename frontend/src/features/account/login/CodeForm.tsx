import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';

import { PageHeading } from '../../../shared/ui/page';
import { CodeField } from '../CodeField';

const Typed = v.object({ code: v.pipe(v.string(), v.trim(), v.nonEmpty()) });

/** Asks for the second factor after a correct password. */
export function CodeForm({ busy, refusal, onCode, onBack }: { busy: boolean; refusal: string | null; onCode: (code: string) => void; onBack: () => void }) {
  const { t } = useLingui();
  const { register, handleSubmit, setFocus, formState } = useForm({ resolver: valibotResolver(Typed), defaultValues: { code: '' } });
  useEffect(() => { setFocus('code'); }, [setFocus]);
  const invalid = formState.errors.code !== undefined;
  return (
    <div className="login">
      <PageHeading>
        <Trans>Second factor</Trans>
      </PageHeading>
      <p>
        <Trans>Your password is correct. Now enter the code that your authenticator app shows.</Trans>
      </p>
      <form noValidate onSubmit={(event) => void handleSubmit(({ code }) => { onCode(code); })(event)}>
        <CodeField field={register('code')} invalid={invalid || refusal !== null} />
        <div role="alert" className="field-error">
          {invalid && <p>{t`Please enter the code.`}</p>}
          {refusal !== null && <p>{refusal}</p>}
        </div>
        <div className="actions">
          <button type="button" className="button button--quiet" onClick={onBack}>
            <Trans>Back</Trans>
          </button>
          <button type="submit" className="button" disabled={busy}>
            <Trans>Log in</Trans>
          </button>
        </div>
      </form>
      <p className="facts">
        <Trans>If you have neither the app nor a recovery code, ask an admin to turn off the second factor of your account.</Trans>
      </p>
    </div>
  );
}
