import { Trans, useLingui } from '@lingui/react/macro';
import { useContext, useState } from 'react';

import type { Clip } from '../api/forms';
import type { PlayFault } from '../api/participant';
import type { ClipState } from '../clips/clipStore';
import { clipStore } from '../clips/useClip';
import { ProgressBar } from '../ui/ProgressBar';
import { StageContext } from './stage';
import { playerCode } from './video/playerCode';

/** Progress of loading a clip; shows errors, and offers to retry immediately. */
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
        <SkipButton fault={state.fault} />
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
      {trouble && state.attempt >= skipFrom && <SkipButton fault="incomplete" />}
    </div>
  );
}

/** After this many attempts (about a minute), a video whose transfer always ends early may be skipped. */
const skipFrom = 5;

/** Button that skips a video that does not play, and reports it to the researchers without identifying the participant. */
export function SkipButton({ fault }: { fault: PlayFault }) {
  const { onSkip } = useContext(StageContext);
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle');
  if (onSkip === null) return null;
  const skip = () => {
    setState('sending');
    onSkip(fault).catch(() => { setState('failed'); });
  };
  return (
    <>
      <button type="button" className="button button--quiet" disabled={state === 'sending'} onClick={skip}>
        <Trans>Skip this video and report it</Trans>
      </button>
      {state === 'failed' && (
        <p role="alert">
          <Trans>The report could not be sent. Please check your connection, and try again.</Trans>
        </p>
      )}
    </>
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

/** After this many failures, the page may be too old, so that the server no longer has its scripts. */
const reloadFrom = 3;

/** Shown instead of the film while the player's code is loading; `failures` counts failed attempts. */
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
