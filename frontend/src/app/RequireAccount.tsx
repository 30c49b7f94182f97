import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';

import { useMe } from '../shared/account/useMe';
import { Notice } from '../shared/ui/Notice';
import { Wait } from '../shared/ui/Wait';
import { Fault } from '../shared/ui/Fault';

/** Sends people without an account's session to the login, and says so to researchers who open the admin's page. */
export function RequireAccount({ needs, children }: { needs: 'researcher' | 'admin'; children: ReactNode }) {
  const me = useMe();
  const [path] = useLocation();
  const search = useSearch();
  if (me.isError) return <Fault error={me.error} onRetry={() => void me.refetch()} />;
  if (me.data === undefined) return <Wait />;
  if (me.data === null) return <Redirect to={`/login?next=${encodeURIComponent(search === '' ? path : `${path}?${search}`)}`} replace />;
  if (needs === 'admin' && me.data.role !== 'admin') {
    return (
      <Notice title={<Trans>This page is for admins</Trans>}>
        <p>
          <Trans>You are logged in as a researcher. Ask an admin, or log in with another account.</Trans>
        </p>
      </Notice>
    );
  }
  return children;
}
