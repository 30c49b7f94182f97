import { Trans } from '@lingui/react/macro';

import type { Batch } from '../../shared/api/batches';

export function BatchState({ state }: { state: Batch['state'] }) {
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
