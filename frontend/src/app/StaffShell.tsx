import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';

import { meKey, useMe } from '../shared/account/useMe';
import { Announcements } from '../features/health/Announcements';
import { answer, api } from '../shared/api/client';
import { LanguageSwitch } from '../shared/ui/LanguageSwitch';
import { useTitle } from '../shared/ui/page';
import { useSignedOut } from './useSignedOut';

export function StaffShell({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  useTitle('Eyelevel');
  const me = useMe();
  useSignedOut();
  const [path, navigate] = useLocation();
  const cache = useQueryClient();
  const leave = useMutation({
    mutationFn: () => answer(api.POST('/api/auth/logout', {})),
    onSuccess: () => {
      cache.clear();
      cache.setQueryData(meKey, null);
      navigate('/');
    },
  });
  const username = me.data?.username ?? '';
  const role = me.data == null || me.data.second_factor === 'needed' ? null : me.data.role;
  const at = (place: string) => (path === place || path.startsWith(`${place}/`) ? 'page' : undefined);
  return (
    <div className="staff">
      <header className="staff__head">
        <Link href="/" className="staff__name">
          Eyelevel
        </Link>
        {role !== null && (
          <nav aria-label={t`Main`} className="staff__nav">
            <Link href="/research" aria-current={at('/research')}>
              <Trans>Studies</Trans>
            </Link>
            {role === 'admin' && (
              <>
                <Link href="/admin" aria-current={path === '/admin' ? 'page' : at('/admin/batches')}>
                  <Trans>Batches</Trans>
                </Link>
                <Link href="/admin/accounts" aria-current={at('/admin/accounts')}>
                  <Trans>Accounts</Trans>
                </Link>
                <Link href="/admin/health" aria-current={at('/admin/health')}>
                  <Trans>Health</Trans>
                </Link>
              </>
            )}
            {role !== 'guest' && (
              <Link href="/log" aria-current={at('/log')}>
                <Trans>Audit log</Trans>
              </Link>
            )}
          </nav>
        )}
        <span className="staff__aside">
          <LanguageSwitch />
          {me.data != null && (
            <>
              <Link href="/account" className="staff__who">
                <Trans>Account: {username}</Trans>
              </Link>
              <button type="button" className="button button--quiet button--small" onClick={() => { leave.mutate(); }}>
                <Trans>Log out</Trans>
              </button>
            </>
          )}
        </span>
      </header>
      <main className="staff__main">
        {role !== null && <Announcements />}
        {children}
      </main>
    </div>
  );
}
