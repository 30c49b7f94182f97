import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';

import { roles } from '../../../shared/account/useMe';
import { answer, api } from '../../../shared/api/client';
import { LinkOnce } from './LinkOnce';

const Wish = v.object({ username: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.regex(/^[\p{L}\p{N}@.+_-]+$/u)), role: v.picklist(roles) });

export function PersonForm({ onMade }: { onMade: () => void }) {
  const { t } = useLingui();
  const form = useForm<v.InferOutput<typeof Wish>>({ resolver: valibotResolver(Wish), defaultValues: { username: '', role: 'researcher' } });
  const make = useMutation({
    mutationFn: (body: v.InferOutput<typeof Wish>) => answer(api.POST('/api/accounts', { body })),
    onSuccess: () => {
      form.reset();
      onMade();
    },
  });
  return (
    <section>
      <h2>
        <Trans>New account</Trans>
      </h2>
      <form className="inline-form" noValidate onSubmit={(event) => void form.handleSubmit((wish) => { make.mutate(wish); })(event)}>
        <label className="field">
          <span>
            <Trans>User name</Trans>
          </span>
          <input type="text" autoComplete="off" autoCapitalize="none" aria-invalid={form.formState.errors.username !== undefined} {...form.register('username')} />
        </label>
        <label className="field">
          <span>
            <Trans>Role</Trans>
          </span>
          <select {...form.register('role')}>
            <RoleOptions />
          </select>
        </label>
        <button type="submit" className="button" disabled={make.isPending}>
          <Trans>Create account</Trans>
        </button>
        <div role="alert" className="field-error">
          {form.formState.errors.username !== undefined && <p>{t`Please enter a user name of letters, digits and @ . + - _.`}</p>}
          {make.error !== null && <p>{make.error.message}</p>}
        </div>
        {make.data !== undefined && <LinkOnce username={make.data.username} link={make.data.link} />}
      </form>
    </section>
  );
}

/** The account roles as options of a select element. */
export function RoleOptions() {
  const { t } = useLingui();
  return (
    <>
      <option value="guest">{t`guest`}</option>
      <option value="researcher">{t`researcher`}</option>
      <option value="admin">{t`admin`}</option>
    </>
  );
}
