import { Trans } from '@lingui/react/macro';

import { Secret } from '../../../shared/ui/CopyButton';

/** A new one-time link that sets an account's password. */
export function LinkOnce({ username, link }: { username: string; link: string }) {
  return <Secret label={<Trans>Send this link to {username}. It sets a password, works once within 24 hours, and is shown only now:</Trans>} text={link} />;
}
