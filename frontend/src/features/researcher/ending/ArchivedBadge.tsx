import { Trans } from '@lingui/react/macro';

export function ArchivedBadge() {
  return (
    <span className="badge badge--closed">
      <Trans>archived</Trans>
    </span>
  );
}
