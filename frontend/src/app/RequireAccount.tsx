import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';

import { roles, useMe } from '../shared/account/useMe';
import type { Role } from '../shared/api/contract.gen';
import { Fault, Notice, Wait } from '../shared/ui/page';

/** Redirects to the login without a session, and to the account page without a required second factor; shows a notice if the account's role is too low. */
export function RequireAccount({ needs, children }: { needs: Role; children: ReactNode }) {
  const me = useMe();
  const [path] = useLocation();
  const search = useSearch();
  const here = search === '' ? path : `${path}?${search}`;
  if (me.isError) return <Fault error={me.error} onRetry={() => void me.refetch()} />;
  if (me.data === undefined) return <Wait />;
  if (me.data === null) return <Redirect to={`/login?next=${encodeURIComponent(here)}`} replace />;
  if (me.data.second_factor === 'needed' && path !== '/account') return <Redirect to={`/account?next=${encodeURIComponent(here)}`} replace />;
  if (roles.indexOf(me.data.role) < roles.indexOf(needs)) {
    return (
      <Notice title={needs === 'admin' ? <Trans>This page is for admins</Trans> : <Trans>This page is for researchers</Trans>}>
        <p>
          {me.data.role === 'guest' ? (
            <Trans>You are logged in as a guest. Ask an admin, or log in with another account.</Trans>
          ) : (
            <Trans>You are logged in as a researcher. Ask an admin, or log in with another account.</Trans>
          )}
        </p>
      </Notice>
    );
  }
  return children;
}
