import { Trans } from '@lingui/react/macro';

import type { FieldingState } from '../../../shared/api/contract.gen';

export function StateBadge({ state }: { state: FieldingState }) {
  return (
    <span className={`badge badge--${state}`}>
      {state === 'open' && <Trans>open</Trans>}
      {state === 'paused' && <Trans>paused</Trans>}
      {state === 'closed' && <Trans>closed</Trans>}
    </span>
  );
}
