import { Trans, useLingui } from '@lingui/react/macro';
import { type CSSProperties, type ReactNode, useContext, useEffect, useRef } from 'react';

import type { Clip } from '../api/forms';
import { useClip } from '../clips/useClip';
import { Countdown } from './Countdown';
import type { PlayRecord, Size } from './evidence/evidence';
import { stageScale } from './evidence/scale';
import type { Timing } from './evidence/timing';
import { FullScreenButton } from './FullScreen';
import { ClipLoading, PlayerLoading, SkipButton } from './Loading';
import { NeedsRoom, PlaybackBlocked, Unplayable } from './Notes';
import { StageContext } from './stage';
import { type Playback, usePlayback } from './usePlayback';
import { remPx, useViewport } from './useViewport';
import { usePlayerCode } from './video/playerCode';

export interface Asked {
  /** The film is playing: an answer may be chosen, but the trial continues only after its end. */
  playing: boolean;
  replay: () => void;
  /** Call at each choice, because its time is recorded. */
  chosen: () => void;
  /** The window size needed for a replay; null if the current one is large enough. */
  needed: Size | null;
  /** Timing of the last choice, sent with the answer. */
  timing: () => Timing;
}

interface Props {
  clip: Clip;
  /** Text above the film. It stays during the question, so that the film keeps its position. */
  lead: ReactNode;
  /** The names of the two halves of a film. */
  captions?: readonly [string, string] | undefined;
  onPlay: (play: PlayRecord & { replay: boolean }) => void;
  /** The question, shown after the film or, if the study says so, while it plays. */
  children: (asked: Asked) => ReactNode;
}

/** Loads a whole clip, plays it at normal speed when the person starts it, and then shows the question. The film can be replayed. */
export function ClipStage({ clip, lead, captions, onPlay, children }: Props) {
  const { t } = useLingui();
  const { answerFrom, needed, least, onFault, contact, wayOut } = useContext(StageContext);
  const loaded = useClip(clip);
  const lost = loaded.phase === 'failed' ? loaded.fault : null;
  useEffect(() => {
    if (lost !== null) onFault(lost);
  }, [lost, onFault]);
  const host = useRef<HTMLDivElement>(null);
  const playback = usePlayback({ host, clip, source: loaded.phase === 'ready' ? loaded.objectUrl : null, onPlay });
  const { phase, begun, held } = playback;
  const player = usePlayerCode();
  const viewport = useViewport();
  const widthPx = Math.floor(clip.width_px * stageScale(clip, viewport, { answerFrom, remPx: remPx(), least }));
  const frame = useRef<HTMLDivElement>(null);
  const starts = phase === 'counting' || phase === 'playing';
  // in a low window, the film may be below the visible part
  useEffect(() => {
    if (starts) frame.current?.scrollIntoView({ block: 'nearest' });
  }, [starts]);

  if (phase === 'fault') {
    return (
      <Unplayable contact={contact} onRetry={playback.retry}>
        <SkipButton fault="undecodable" />
        {wayOut}
      </Unplayable>
    );
  }
  const asking = phase === 'asking' || (answerFrom === 'start' && begun);
  return (
    <div className={`stage stage--${phase} stage--from-${answerFrom}`} style={{ '--ratio': clip.width_px / clip.height_px, '--film-width': `${String(widthPx)}px` } as CSSProperties}>
      <div className="stage__lead">
        {captions !== undefined && <span className="stage__caption">{captions[0]}</span>}
        {lead}
        {captions !== undefined && <span className="stage__caption">{captions[1]}</span>}
      </div>
      <div ref={frame} className="stage__frame" onContextMenu={(event) => { event.preventDefault(); }}>
        <div ref={host} className="stage__film" role="img" aria-label={t`Video of a website that is loading`} />
        {phase === 'preparing' &&
          (loaded.phase === 'ready' && player.code === null ? <PlayerLoading failures={player.failures} /> : <ClipLoading clip={clip} state={loaded} />)}
        {phase === 'ready' && (
          <div className="stage__cover">
            {held && <PlaybackBlocked />}
            {needed !== null && (
              <p role="status">
                <NeedsRoom needed={needed} />
              </p>
            )}
            <StartButton onClick={playback.start} disabled={needed !== null} />
            <FullScreenButton />
          </div>
        )}
        {(phase === 'counting' || phase === 'playing') && (
          <Countdown leadMs={clip.start_ms} playing={phase === 'playing'} filmMs={playback.filmMs} onPlay={playback.play} />
        )}
      </div>
      {phase === 'asking' && held && <PlaybackBlocked />}
      {asking && children(askedOf(playback, needed))}
    </div>
  );
}

function askedOf({ phase, start, chosen, timing }: Playback, needed: Size | null): Asked {
  return { playing: phase !== 'asking', replay: start, chosen, needed, timing };
}

// receives the focus when it appears, so that Enter or Space starts the film
function StartButton({ onClick, disabled }: { onClick: () => void; disabled: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => { button.current?.focus({ preventScroll: true }); }, [disabled]);
  return (
    <button ref={button} type="button" className="button button--start" onClick={onClick} disabled={disabled}>
      <Trans>Start video</Trans>
    </button>
  );
}
