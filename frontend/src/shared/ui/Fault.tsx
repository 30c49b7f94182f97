import { Trans } from '@lingui/react/macro';

/** Something could not be loaded: the server's sentence, and another try. */
export function Fault({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className="fault" role="alert">
      <p>{error.message}</p>
      <button type="button" className="button button--quiet button--small" onClick={onRetry}>
        <Trans>Try again</Trans>
      </button>
    </div>
  );
}
