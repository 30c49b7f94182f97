import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';
import { Link } from 'wouter';

import { useMe } from '../../shared/account/useMe';
import { answer, api } from '../../shared/api/client';
import type { ResetLink } from '../../shared/api/contract.gen';
import { ApiError } from '../../shared/api/error';
import { Fault, Notice, PageHeading, Wait } from '../../shared/ui/page';
import { useRefusal, whileBusy } from './refusal';

const Wish = v.pipe(
  v.object({ new: v.pipe(v.string(), v.minLength(10)), again: v.string() }),
  v.forward(v.partialCheck([['new'], ['again']], (wish) => wish.new === wish.again), ['again']),
);

/** Sets the password of the account for which an admin made a one-time link. */
export default function ResetPage() {
  const [link] = useState(linkOf);
  // removes the token from the address bar and the history
  useEffect(() => {
    history.replaceState(history.state, '', location.pathname);
    // another link may be opened in the same tab
    const reload = () => { location.reload(); };
    window.addEventListener('hashchange', reload);
    return () => { window.removeEventListener('hashchange', reload); };
  }, []);
  // this call sets the CSRF token
  const me = useMe();
  const check = useQuery({ queryKey: ['reset', link.account], queryFn: () => answer(api.POST('/api/auth/reset/check', { body: link })), enabled: me.data !== undefined, gcTime: 0 });
  if (check.isError) return isOver(check.error) ? <Over /> : <Fault error={check.error} onRetry={() => void check.refetch()} />;
  if (check.data === undefined) return <Wait />;
  return <ResetForm link={link} hasSecondFactor={check.data.second_factor} />;
}

function ResetForm({ link, hasSecondFactor }: { link: ResetLink; hasSecondFactor: boolean }) {
  const { t } = useLingui();
  const refusal = useRefusal();
  const form = useForm({ resolver: valibotResolver(Wish), defaultValues: { new: '', again: '' } });
  const set = useMutation({ mutationFn: (wish: v.InferOutput<typeof Wish>) => answer(api.POST('/api/auth/reset', { body: { ...link, new: wish.new } })), ...whileBusy });
  const { errors } = form.formState;
  const username = link.account;
  if (set.error !== null && isOver(set.error)) return <Over />;
  if (set.isSuccess) return <Done hasSecondFactor={hasSecondFactor} />;
  return (
    <div className="login">
      <PageHeading>
        <Trans>New password for {username}</Trans>
      </PageHeading>
      {hasSecondFactor && (
        <p>
          <Trans>The second factor of the account stays as it is: you need its app or a recovery code to log in.</Trans>
        </p>
      )}
      <form noValidate onSubmit={(event) => void form.handleSubmit((wish) => { set.mutate(wish); })(event)}>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <label className="field">
          <span>
            <Trans>New password, at least ten characters</Trans>
          </span>
          <input type="password" autoComplete="new-password" aria-invalid={errors.new !== undefined} {...form.register('new')} />
        </label>
        <label className="field">
          <span>
            <Trans>Repeat the new password</Trans>
          </span>
          <input type="password" autoComplete="new-password" aria-invalid={errors.again !== undefined} {...form.register('again')} />
        </label>
        <div role="alert" className="field-error">
          {errors.new !== undefined && <p>{t`Please enter at least ten characters.`}</p>}
          {errors.new === undefined && errors.again !== undefined && <p>{t`The two passwords differ.`}</p>}
          {set.error !== null && <p>{refusal(set.error)}</p>}
        </div>
        <div className="actions">
          <button type="submit" className="button" disabled={set.isPending}>
            <Trans>Set password</Trans>
          </button>
        </div>
      </form>
    </div>
  );
}

function Done({ hasSecondFactor }: { hasSecondFactor: boolean }) {
  return (
    <Notice title={<Trans>The password has been set</Trans>}>
      <p>
        <Trans>All browsers in which the account was logged in are logged out. The link does not work any more.</Trans>{' '}
        {hasSecondFactor && <Trans>The login also asks for a code from your app.</Trans>}
      </p>
      <div className="actions">
        <Link href="/login" className="button">
          <Trans>Log in</Trans>
        </Link>
      </div>
    </Notice>
  );
}

function Over() {
  return (
    <Notice title={<Trans>This link no longer works</Trans>}>
      <p>
        <Trans>It has already been used, it is older than 24 hours, or somebody has logged in to the account since. Ask an admin for a new link.</Trans>
      </p>
    </Notice>
  );
}

function linkOf(): ResetLink {
  const parts = new URLSearchParams(location.hash.slice(1));
  return { account: parts.get('account') ?? '', token: parts.get('token') ?? '' };
}

function isOver(error: Error): boolean {
  return error instanceof ApiError && error.code === 'link_over';
}
