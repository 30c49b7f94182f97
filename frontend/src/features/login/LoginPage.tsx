import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';
import { Redirect, useSearch } from 'wouter';

import { meKey, useMe } from '../../shared/account/useMe';
import { answer, api } from '../../shared/api/client';
import { ApiError } from '../../shared/api/error';
import { PageHeading } from '../../shared/ui/page';
import { nextPath } from './nextPath';

// the platform checks one password at a time and answers `busy` meanwhile
const TRIES = 5;
const PAUSE_MS = 1000;

const Credentials = v.object({ username: v.pipe(v.string(), v.trim(), v.nonEmpty()), password: v.pipe(v.string(), v.nonEmpty()) });

export function LoginPage() {
  const { t } = useLingui();
  const next = nextPath(useSearch());
  const me = useMe();
  const cache = useQueryClient();
  const form = useForm({ resolver: valibotResolver(Credentials), defaultValues: { username: '', password: '' } });
  const enter = useMutation({
    mutationFn: (body: v.InferOutput<typeof Credentials>) => answer(api.POST('/api/auth/login', { body })),
    retry: (failures, error) => error instanceof ApiError && error.code === 'busy' && failures < TRIES,
    retryDelay: PAUSE_MS,
    onSuccess: (account) => cache.setQueryData(meKey, account),
  });

  if (me.data != null) return <Redirect to={next} replace />;
  const { errors } = form.formState;
  return (
    <div className="login">
      <PageHeading>
        <Trans>Log in</Trans>
      </PageHeading>
      <form noValidate onSubmit={(event) => void form.handleSubmit((credentials) => { enter.mutate(credentials); })(event)}>
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
          {enter.error !== null && <p>{enter.error instanceof ApiError && enter.error.status === 401 ? t`User name or password is wrong.` : enter.error.message}</p>}
        </div>
        <div className="actions">
          <button type="submit" className="button" disabled={enter.isPending}>
            <Trans>Log in</Trans>
          </button>
        </div>
      </form>
    </div>
  );
}
