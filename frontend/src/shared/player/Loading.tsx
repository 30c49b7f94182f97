import { Trans, useLingui } from '@lingui/react/macro';

import type { Clip } from '../api/forms';
import type { ClipState } from '../clips/clipStore';
import { clipStore } from '../clips/useClip';
import { ProgressBar } from '../ui/ProgressBar';
import { playerCode } from './video/playerCode';

/** How far the clip is; says what is wrong when it does not come, and offers to try at once. */
export function ClipLoading({ clip, state }: { clip: Clip; state: ClipState }) {
  const { t } = useLingui();
  if (state.phase === 'failed') {
    return (
      <div className="stage__cover" role="alert">
        <p>
          {state.fault === 'gone' ? (
            <Trans>This video is no longer available to you. Please reload the page; your answers so far are kept.</Trans>
          ) : (
            <Trans>The video arrived damaged several times. Please try another connection.</Trans>
          )}
        </p>
        {state.fault === 'gone' ? <ReloadButton /> : <RetryButton clip={clip} />}
      </div>
    );
  }
  const received = state.phase === 'ready' ? clip.bytes : state.received_bytes;
  const trouble = state.phase === 'loading' && state.fault !== null;
  return (
    <div className="stage__cover">
      <p>
        <Trans>The video is being loaded, so that it plays smoothly.</Trans>
      </p>
      <ProgressBar label={t`Loading the video`} share={clip.bytes === 0 ? 0 : received / clip.bytes} />
      <div role="status">
        {trouble && (
          <p>
            <Trans>The connection is slow or interrupted. We keep trying.</Trans>
          </p>
        )}
      </div>
      {trouble && <RetryButton clip={clip} />}
    </div>
  );
}

function RetryButton({ clip }: { clip: Clip }) {
  return (
    <button type="button" className="button button--quiet" onClick={() => { clipStore.retry(clip); }}>
      <Trans>Try now</Trans>
    </button>
  );
}

function ReloadButton() {
  return (
    <button type="button" className="button button--quiet" onClick={() => { location.reload(); }}>
      <Trans>Reload</Trans>
    </button>
  );
}

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
            <Trans>The connection is slow or interrupted. We keep trying.</Trans>
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
            <Trans>If the video does not appear, please reload the page. Your answers so far are kept.</Trans>
          </p>
          <ReloadButton />
        </>
      )}
    </div>
  );
}
