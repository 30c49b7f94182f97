import { Trans } from '@lingui/react/macro';

import { playerCode } from './playerCode';

/** After so many failures it may be the page itself that is too old, whose scripts the server no longer has. */
const reloadFrom = 3;

/** In place of a film whose player is not there yet; `failures` to fetch it so far. */
export function PlayerLoading({ failures }: { failures: number }) {
  return (
    <div className="stage__cover">
      <p>
        <Trans>The video is being loaded, so that it plays smoothly.</Trans>
      </p>
      <div role="status">
        {failures > 0 && (
          <p>
            <Trans>The connection is slow or gone. We keep trying.</Trans>
          </p>
        )}
      </div>
      {failures > 0 && failures < reloadFrom && (
        <button type="button" className="button button--quiet" onClick={() => { playerCode.retry(); }}>
          <Trans>Try now</Trans>
        </button>
      )}
      {failures >= reloadFrom && (
        <>
          <p>
            <Trans>If it does not come, please reload the page. Your answers so far are kept.</Trans>
          </p>
          <button type="button" className="button button--quiet" onClick={() => { location.reload(); }}>
            <Trans>Reload</Trans>
          </button>
        </>
      )}
    </div>
  );
}
