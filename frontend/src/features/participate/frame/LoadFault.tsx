import { Trans } from '@lingui/react/macro';

import { ApiError } from '../../../shared/api/error';
import { Action, Notice } from '../../../shared/ui/page';

export function LoadFault({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Notice title={<Trans>There is no study at this address</Trans>}>
        <p>
          <Trans>Please check the link that you were given.</Trans>
        </p>
      </Notice>
    );
  }
  return (
    <Notice title={<Trans>The study could not be loaded</Trans>}>
      <p>
        <Trans>The server is not responding correctly right now. Please try again in a moment.</Trans>
      </p>
      <Action onClick={onRetry}>
        <Trans>Try again</Trans>
      </Action>
    </Notice>
  );
}
