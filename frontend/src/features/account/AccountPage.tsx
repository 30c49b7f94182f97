import { Trans } from '@lingui/react/macro';

import { useMe } from '../../shared/account/useMe';
import { PageHeading } from '../../shared/ui/page';
import { PasswordForm } from './PasswordForm';
import { TokensSection } from './TokensSection';

/** One's own account: password, and tokens for programs. */
export default function AccountPage() {
  const me = useMe();
  if (me.data == null) return null;
  const { username, role } = me.data;
  return (
    <>
      <PageHeading>{username}</PageHeading>
      <p className="facts">
        {role === 'guest' && <Trans>guest: reads the studies that are shared with you</Trans>}
        {role === 'researcher' && <Trans>researcher: publishes studies, and sees those that are shared with you</Trans>}
        {role === 'admin' && <Trans>admin: sees all studies, receives batches, manages accounts</Trans>}
      </p>
      {role !== 'guest' && <TokensSection role={role} />}
      <PasswordForm username={username} />
    </>
  );
}
