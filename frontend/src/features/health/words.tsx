import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

/** The text of a warning in the health report, with what to do. */
export function warningText(code: string): ReactNode {
  switch (code) {
    case 'service':
      return <Trans>A service does not work. See the list of services, and the logs of that service.</Trans>;
    case 'queue':
      return <Trans>Tasks have waited for more than two minutes. Check whether the workers are running.</Trans>;
    case 'disk_soon':
      return <Trans>The disk will be full within a day. Free some space, or enlarge the disk.</Trans>;
    case 'disk_reserve':
      return <Trans>The disk is almost full. No new sessions can begin; running sessions can still be completed. Free some space.</Trans>;
    case 'backup':
      return <Trans>The last backup failed.</Trans>;
    case 'backup_due':
      return <Trans>People took part more than a week ago, and no backup was made in the last seven days.</Trans>;
    case 'drill':
      return <Trans>The last restore drill failed, or is more than eight days old.</Trans>;
    default:
      return code;
  }
}
