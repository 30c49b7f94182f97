import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';

import { answer, api } from '../../shared/api/client';
import { sessionsKey } from './keys';
import { useRefusal, whileBusy } from './refusal';

const Change = v.object({ current: v.pipe(v.string(), v.nonEmpty()), new: v.pipe(v.string(), v.minLength(10)) });
const empty = { current: '', new: '' };

export function PasswordForm({ username }: { username: string }) {
  const { t } = useLingui();
  const form = useForm({ resolver: valibotResolver(Change), defaultValues: empty });
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: (body: v.InferOutput<typeof Change>) => answer(api.POST('/api/auth/password', { body })),
    ...whileBusy,
    onSuccess: () => {
      form.reset(empty);
      void cache.invalidateQueries({ queryKey: sessionsKey });
    },
  });
  const { errors } = form.formState;
  const refusal = useRefusal();
  return (
    <section className="narrow">
      <h2>
        <Trans>Password</Trans>
      </h2>
      <form noValidate onSubmit={(event) => void form.handleSubmit((values) => { change.mutate(values); })(event)}>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <label className="field">
          <span>
            <Trans>Current password</Trans>
          </span>
          <input type="password" autoComplete="current-password" aria-invalid={errors.current !== undefined} {...form.register('current')} />
        </label>
        <label className="field">
          <span>
            <Trans>New password, at least ten characters</Trans>
          </span>
          <input type="password" autoComplete="new-password" aria-invalid={errors.new !== undefined} {...form.register('new')} />
        </label>
        <div role="alert" className="field-error">
          {(errors.current !== undefined || errors.new !== undefined) && <p>{t`Please enter the current password, and a new one of at least ten characters.`}</p>}
          {change.error !== null && <p>{refusal(change.error)}</p>}
        </div>
        <p role="status">{change.isSuccess && <Trans>The password has been changed. All other browsers are logged out.</Trans>}</p>
        <div className="actions">
          <button type="submit" className="button" disabled={change.isPending}>
            <Trans>Change password</Trans>
          </button>
        </div>
      </form>
    </section>
  );
}
