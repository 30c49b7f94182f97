import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';

import { PageHeading } from '../../../shared/ui/page';

const Credentials = v.object({ username: v.pipe(v.string(), v.trim(), v.nonEmpty()), password: v.pipe(v.string(), v.nonEmpty()) });

export function CredentialsForm({ busy, refusal, onEnter }: { busy: boolean; refusal: string | null; onEnter: (credentials: v.InferOutput<typeof Credentials>) => void }) {
  const { t } = useLingui();
  const form = useForm({ resolver: valibotResolver(Credentials), defaultValues: { username: '', password: '' } });
  const { errors } = form.formState;
  return (
    <div className="login">
      <PageHeading>
        <Trans>Log in</Trans>
      </PageHeading>
      <form noValidate onSubmit={(event) => void form.handleSubmit(onEnter)(event)}>
        <label className="field">
          <span>
            <Trans>User name</Trans>
          </span>
          <input type="text" autoComplete="username" autoCapitalize="none" aria-invalid={errors.username !== undefined} {...form.register('username')} />
        </label>
        <label className="field">
          <span>
            <Trans>Password</Trans>
          </span>
          <input type="password" autoComplete="current-password" aria-invalid={errors.password !== undefined} {...form.register('password')} />
        </label>
        <div role="alert" className="field-error">
          {(errors.username !== undefined || errors.password !== undefined) && <p>{t`Please enter both user name and password.`}</p>}
          {refusal !== null && <p>{refusal}</p>}
        </div>
        <div className="actions">
          <button type="submit" className="button" disabled={busy}>
            <Trans>Log in</Trans>
          </button>
        </div>
      </form>
    </div>
  );
}
