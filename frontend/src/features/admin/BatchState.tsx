import { Trans } from '@lingui/react/macro';

import type { BatchSummary } from '../../shared/api/contract.gen';

export function BatchState({ state }: { state: BatchSummary['state'] }) {
  switch (state) {
    case 'receiving':
      return (
        <span className="badge badge--paused">
          <Trans>being received</Trans>
        </span>
      );
    case 'visible':
      return (
        <span className="badge badge--open">
          <Trans>visible</Trans>
        </span>
      );
  }
}
