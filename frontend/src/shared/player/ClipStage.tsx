import { Trans, useLingui } from '@lingui/react/macro';
import { type CSSProperties, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

import type { Clip } from '../api/session';
import { useClip } from '../clips/useClip';
import { ClipLoading } from './ClipLoading';
import type { StimulusPlayer } from './createPlayer';
import { type PlayRecord, PlayRecorder } from './playRecorder';

export interface Asked {
  replays: number;
  /** performance.now() at the end of the first play */
  firstEndMs: number;
  replay: () => void;
}

interface Props {
  clip: Clip;
  /** What the page says above the film. */
  lead?: ReactNode;
  onPlay: (play: PlayRecord & { replay: boolean }) => void;
  /** What is asked once the film has been seen. */
  children: (asked: Asked) => ReactNode;
}

type Phase = 'preparing' | 'ready' | 'playing' | 'asking' | 'fault';

/** Loads a clip whole, plays it once at true speed when the person says so, then asks; the film may be replayed. */
export function ClipStage({ clip, lead, onPlay, children }: Props) {
  const { t } = useLingui();
  const loaded = useClip(clip);
  const host = useRef<HTMLDivElement>(null);
  const player = useRef<StimulusPlayer | null>(null);
  const recorder = useRef<PlayRecorder | null>(null);
  const [phase, setPhase] = useState<Phase>('preparing');
  const [plays, setPlays] = useState(0);
  const [firstEndMs, setFirstEndMs] = useState(0);
  const ended = useRef<() => void>(() => undefined);

  const objectUrl = loaded.phase === 'ready' ? loaded.objectUrl : null;

  useEffect(() => {
    ended.current = () => {
      const record = recorder.current?.finish();
      recorder.current = null;
      if (record !== undefined) onPlay({ ...record, replay: plays > 0 });
      if (plays === 0) setFirstEndMs(performance.now());
      setPlays(plays + 1);
      setPhase('asking');
    };
  });

  useEffect(() => {
    if (objectUrl === null) return;
    let gone = false;
    // the player is the largest part of the page, and no one needs it before the first film
    void import('./createPlayer').then(({ StimulusPlayer: Player }) => {
      if (gone || host.current === null) return;
      player.current = new Player(host.current, objectUrl, {
        onReady: () => { setPhase('ready'); },
        onEnded: () => { ended.current(); },
        onFault: () => { setPhase('fault'); },
      });
    }).catch(() => { setPhase('fault'); });
    return () => {
      gone = true;
      recorder.current?.cancel();
      recorder.current = null;
      player.current?.dispose();
      player.current = null;
    };
  }, [objectUrl]);

  const play = useCallback(() => {
    const current = player.current;
    if (current === null) return;
    setPhase('playing');
    recorder.current = new PlayRecorder(current.video);
    current.play().catch(() => {
      recorder.current?.cancel();
      recorder.current = null;
      setPhase(plays > 0 ? 'asking' : 'ready');
    });
  }, [plays]);

  if (phase === 'fault') return <Undecodable />;
  return (
    <div className={`stage stage--${phase}`} style={{ '--ratio': clip.width_px / clip.height_px } as CSSProperties}>
      {phase !== 'asking' && lead}
      <div className="stage__frame">
        <div
          ref={host}
          className="stage__film"
          role="img"
          aria-label={t`Film of a website that is loading`}
          onContextMenu={(event) => { event.preventDefault(); }}
        />
        {phase === 'preparing' && <ClipLoading clip={clip} state={loaded} />}
        {phase === 'ready' && (
          <div className="stage__cover">
            <StartButton onClick={play} />
          </div>
        )}
      </div>
      {/* eslint-disable-next-line react-hooks/refs -- replay touches the player when it is pressed, not while rendering */}
      {phase === 'asking' && children({ replays: plays - 1, firstEndMs, replay: play })}
    </div>
  );
}

// takes the focus when it appears, so that Enter or Space starts the film
function StartButton({ onClick }: { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => { button.current?.focus({ preventScroll: true }); }, []);
  return (
    <button ref={button} type="button" className="button button--start" onClick={onClick}>
      <Trans>Start video</Trans>
    </button>
  );
}

function Undecodable() {
  return (
    <div className="stage__fault" role="alert">
      <p>
        <strong>
          <Trans>Your browser cannot show this video.</Trans>
        </strong>
      </p>
      <p>
        <Trans>
          The videos of this study are H.264 in MP4. Please open this page again in a current version of Chrome, Edge, Firefox or Safari. Your answers so far
          are kept.
        </Trans>
      </p>
    </div>
  );
}
