import '../shared/ui/staff.css';

import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';

import { LoginPage } from '../features/account/login/LoginPage';
import { Notice, Wait } from '../shared/ui/page';
import { LandingPage } from './LandingPage';
import { RequireAccount } from './RequireAccount';
import { StaffShell } from './StaffShell';

const StudiesPage = lazy(() => import('../features/researcher/StudiesPage'));
const StudyPage = lazy(() => import('../features/researcher/StudyPage'));
const LivePage = lazy(() => import('../features/researcher/live/LivePage'));
const BatchesPage = lazy(() => import('../features/admin/BatchesPage'));
const AccountsPage = lazy(() => import('../features/admin/accounts/AccountsPage'));
const AccountPage = lazy(() => import('../features/account/AccountPage'));
const ResetPage = lazy(() => import('../features/account/ResetPage'));
const AuditPage = lazy(() => import('../features/audit/AuditPage'));
const HealthPage = lazy(() => import('../features/health/HealthPage'));
const BatchPage = lazy(() => import('../features/admin/BatchPage'));

/** All pages except a participant's. */
export default function StaffPages() {
  return (
    <StaffShell>
      <Suspense fallback={<Wait />}>
        <Switch>
          <Route path="/">
            <LandingPage />
          </Route>
          <Route path="/login">
            <LoginPage />
          </Route>
          <Route path="/reset">
            <ResetPage />
          </Route>
          <Route path="/research">
            <RequireAccount needs="guest">
              <StudiesPage />
            </RequireAccount>
          </Route>
          <Route path="/research/studies">
            <Redirect to="/research" replace />
          </Route>
          <Route path="/research/studies/:sha256">
            {({ sha256 }) => (
              <RequireAccount needs="guest">
                <StudyPage key={sha256} sha256={sha256} />
              </RequireAccount>
            )}
          </Route>
          <Route path="/research/studies/:sha256/live">
            {({ sha256 }) => (
              <RequireAccount needs="guest">
                <LivePage key={sha256} sha256={sha256} />
              </RequireAccount>
            )}
          </Route>
          <Route path="/log">
            <RequireAccount needs="researcher">
              <AuditPage />
            </RequireAccount>
          </Route>
          <Route path="/account">
            <RequireAccount needs="guest">
              <AccountPage />
            </RequireAccount>
          </Route>
          <Route path="/admin/accounts">
            <RequireAccount needs="admin">
              <AccountsPage />
            </RequireAccount>
          </Route>
          <Route path="/admin">
            <RequireAccount needs="admin">
              <BatchesPage />
            </RequireAccount>
          </Route>
          <Route path="/admin/health">
            <RequireAccount needs="admin">
              <HealthPage />
            </RequireAccount>
          </Route>
          <Route path="/admin/batches">
            <Redirect to="/admin" replace />
          </Route>
          <Route path="/admin/batches/:sha256">
            {({ sha256 }) => (
              <RequireAccount needs="admin">
                <BatchPage key={sha256} sha256={sha256} />
              </RequireAccount>
            )}
          </Route>
          <Route>
            <Notice title={<Trans>There is no page at this address</Trans>}>
              <p>
                <Trans>
                  Please check the address, or go to the <Link href="/">home page</Link>.
                </Trans>
              </p>
            </Notice>
          </Route>
        </Switch>
      </Suspense>
    </StaffShell>
  );
}
