import { type RefObject, useCallback, useContext, useEffect, useRef, useState } from 'react';

import type { Clip } from '../api/forms';
import type { PlayRecord } from './evidence/evidence';
import { PlayRecorder } from './evidence/playRecorder';
import { estimateRefreshHz } from './evidence/surroundings';
import { AnswerClock, type Timing } from './evidence/timing';
import { StageContext } from './stage';
import type { StimulusPlayer } from './video/createPlayer';
import { usePlayerCode } from './video/playerCode';

export type Phase = 'preparing' | 'ready' | 'counting' | 'playing' | 'asking' | 'fault';

/** How a play ended. A play that never started to move does not count. */
type Outcome = 'complete' | 'broken off' | 'never begun';

interface Options {
  /** The element that contains the film. */
  host: RefObject<HTMLDivElement | null>;
  clip: Clip;
  /** null until the whole clip is loaded */
  source: string | null;
  onPlay: (play: PlayRecord & { replay: boolean }) => void;
}

export interface Playback {
  phase: Phase;
  /** The film has been started at least once. */
  begun: boolean;
  /** The browser blocked the film. The next start plays immediately, because the browser may need a user action. */
  held: boolean;
  /** Starts the countdown. Call it in a user action. */
  start: () => void;
  /** Starts playback, below the last part of the countdown. */
  play: () => void;
  /** Retries with a new player after a fault. */
  retry: () => void;
  /** The position of the film in ms. */
  filmMs: () => number;
  chosen: () => void;
  timing: () => Timing;
}

/** The state of a film on the page: preparing, ready, countdown, playing with recording, question, and replays. */
export function usePlayback({ host, clip, source, onPlay }: Options): Playback {
  const { answerFrom, seenBefore, needed, onPlaying, onFault } = useContext(StageContext);
  const player = useRef<StimulusPlayer | null>(null);
  const recorder = useRef<PlayRecorder | null>(null);
  const refreshHz = useRef<number | null>(null);
  const [clock] = useState(() => new AnswerClock(answerFrom, seenBefore));
  const [phase, setPhase] = useState<Phase>('preparing');
  // complete plays on this page; after a reload, the film is shown again before the question
  const [plays, setPlays] = useState(0);
  const [begun, setBegun] = useState(false);
  const [held, setHeld] = useState(false);
  const [attempt, setAttempt] = useState(1);
  const { code } = usePlayerCode();
  const resting: Phase = plays > 0 ? 'asking' : 'ready';
  const over = useRef<(outcome: Outcome) => void>(() => undefined);

  useEffect(() => {
    over.current = (outcome) => {
      const watched = recorder.current;
      if (watched === null) return;
      recorder.current = null;
      if (outcome === 'never begun') watched.cancel();
      else onPlay({ ...watched.finish(outcome === 'complete'), replay: clock.seen().plays > 0 });
      const now = performance.now();
      if (outcome === 'complete') {
        clock.playEnds(now);
        setPlays(plays + 1);
        setPhase('asking');
      } else {
        clock.playBreaks();
        player.current?.stop();
        setPhase(resting);
      }
      onPlaying(false, now, clock.seen());
    };
  });

  useEffect(() => {
    if (source === null || code === null || host.current === null) return;
    const breakOff = () => { over.current('broken off'); };
    // if the page is restored from the back/forward cache, the film starts again
    addEventListener('pagehide', breakOff);
    player.current = new code.StimulusPlayer(host.current, source, {
      onReady: () => { setPhase('ready'); },
      onEnded: () => { over.current('complete'); },
      onFault: () => {
        breakOff();
        setPhase('fault');
        onFault('undecodable');
      },
      onHeld: () => {
        over.current(recorder.current?.hasBegun() === true ? 'broken off' : 'never begun');
        setHeld(true);
      },
    });
    return () => {
      removeEventListener('pagehide', breakOff);
      breakOff();
      player.current?.dispose();
      player.current = null;
    };
  }, [host, source, code, attempt, onFault]);

  const play = useCallback(() => {
    const current = player.current;
    if (current === null) return;
    // the window may have become smaller during the countdown
    if (needed !== null) {
      setPhase(resting);
      return;
    }
    setPhase('playing');
    setBegun(true);
    setHeld(false);
    recorder.current = new PlayRecorder(current.video, clip, refreshHz.current);
    const now = performance.now();
    clock.playBegins(current.video, now);
    onPlaying(true, now, clock.seen());
    current.play();
  }, [clip, clock, needed, onPlaying, resting]);

  const start = useCallback(() => {
    if (held) {
      play();
      return;
    }
    player.current?.unlock();
    setPhase('counting');
    void estimateRefreshHz().then((hz) => { refreshHz.current = hz; });
  }, [held, play]);

  const retry = useCallback(() => {
    setPhase('preparing');
    setAttempt((before) => before + 1);
  }, []);

  const filmMs = useCallback(() => (player.current?.video.currentTime ?? 0) * 1000, []);
  const chosen = useCallback(() => { clock.chosen(performance.now()); }, [clock]);
  const timing = useCallback(() => clock.timing(performance.now(), Date.now()), [clock]);
  return { phase, begun, held, start, play, retry, filmMs, chosen, timing };
}
