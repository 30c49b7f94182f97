import './account.css';

import { Trans } from '@lingui/react/macro';

import { useMe } from '../../shared/account/useMe';
import { PageHeading } from '../../shared/ui/page';
import { PasswordForm } from './PasswordForm';
import { SecondFactorSection } from './second-factor/SecondFactorSection';
import { SessionsSection } from './SessionsSection';
import { TokensSection } from './TokensSection';

/** The user's account: tokens for programs, password, second factor, and active logins. */
export default function AccountPage() {
  const me = useMe();
  if (me.data == null) return null;
  const { username, role } = me.data;
  const isNeeded = me.data.second_factor === 'needed';
  return (
    <>
      <PageHeading>
        <Trans>Account</Trans>
      </PageHeading>
      <p className="facts">
        {role === 'guest' && <Trans>guest: reads the studies that are shared with you</Trans>}
        {role === 'researcher' && <Trans>researcher: publishes studies, and sees those that are shared with you</Trans>}
        {role === 'admin' && <Trans>admin: sees all studies, receives batches, manages accounts</Trans>}
      </p>
      {isNeeded || (
        <>
          {role !== 'guest' && <TokensSection role={role} />}
          <PasswordForm username={username} />
        </>
      )}
      <SecondFactorSection username={username} isNeeded={isNeeded} />
      {isNeeded || <SessionsSection />}
    </>
  );
}
