import { type RefObject, useCallback, useContext, useEffect, useRef, useState } from 'react';

import type { Clip } from '../api/session';
import type { StimulusPlayer } from './createPlayer';
import type { PlayRecord } from './evidence';
import { PlayRecorder } from './playRecorder';
import { estimateRefreshHz } from './refreshRate';
import { StageContext } from './stage';
import { AnswerClock, type Timing } from './timing';

export type Phase = 'preparing' | 'ready' | 'counting' | 'playing' | 'asking' | 'fault';

interface Options {
  /** Where the film is put. */
  host: RefObject<HTMLDivElement | null>;
  clip: Clip;
  /** null until the clip is there whole */
  source: string | null;
  onPlay: (play: PlayRecord & { replay: boolean }) => void;
}

export interface Playback {
  phase: Phase;
  /** The film has been started at least once. */
  begun: boolean;
  /** Begins the countdown. */
  start: () => void;
  /** Plays, once the countdown is over. */
  play: () => void;
  chosen: () => void;
  timing: () => Timing;
}

/** The life of a film on the page: made ready, counted down to, played under watch, asked about, perhaps played again. */
export function usePlayback({ host, clip, source, onPlay }: Options): Playback {
  const { answerFrom, onPlaying } = useContext(StageContext);
  const player = useRef<StimulusPlayer | null>(null);
  const recorder = useRef<PlayRecorder | null>(null);
  const refreshHz = useRef<number | null>(null);
  const [clock] = useState(() => new AnswerClock(answerFrom));
  const [phase, setPhase] = useState<Phase>('preparing');
  const [plays, setPlays] = useState(0);
  const [begun, setBegun] = useState(false);
  const over = useRef<(complete: boolean) => void>(() => undefined);

  useEffect(() => {
    over.current = (complete) => {
      const watched = recorder.current;
      if (watched === null) return;
      recorder.current = null;
      onPlay({ ...watched.finish(complete), replay: plays > 0 });
      const now = performance.now();
      onPlaying(false, now);
      if (complete) {
        clock.playEnds(now);
        setPlays(plays + 1);
        setPhase('asking');
      } else {
        clock.playBreaks();
        player.current?.stop();
        setPhase(plays > 0 ? 'asking' : 'ready');
      }
    };
  });

  useEffect(() => {
    if (source === null) return;
    let gone = false;
    const breakOff = () => { over.current(false); };
    // a page that is left may come back from the browser's memory, and then the film begins anew
    addEventListener('pagehide', breakOff);
    // the player is the largest part of the page, and no one needs it before the first film
    void import('./createPlayer').then(({ StimulusPlayer: Player }) => {
      if (gone || host.current === null) return;
      player.current = new Player(host.current, source, {
        onReady: () => { setPhase('ready'); },
        onEnded: () => { over.current(true); },
        onFault: () => {
          breakOff();
          setPhase('fault');
        },
      });
    }).catch(() => { setPhase('fault'); });
    return () => {
      gone = true;
      removeEventListener('pagehide', breakOff);
      breakOff();
      player.current?.dispose();
      player.current = null;
    };
  }, [host, source]);

  const start = useCallback(() => {
    setPhase('counting');
    void estimateRefreshHz().then((hz) => { refreshHz.current = hz; });
  }, []);

  const play = useCallback(() => {
    const current = player.current;
    if (current === null) return;
    setPhase('playing');
    setBegun(true);
    const watched = new PlayRecorder(current.video, clip, refreshHz.current);
    recorder.current = watched;
    const now = performance.now();
    onPlaying(true, now);
    clock.playBegins(current.video, now);
    current.play().catch(() => {
      // the browser refused to start; what has begun already is told by its end
      if (recorder.current !== watched || current.video.currentTime > 0) return;
      watched.cancel();
      recorder.current = null;
      clock.playBreaks();
      onPlaying(false, performance.now());
      setPhase(plays > 0 ? 'asking' : 'ready');
    });
  }, [clip, clock, onPlaying, plays]);

  const chosen = useCallback(() => { clock.chosen(performance.now()); }, [clock]);
  const timing = useCallback(() => clock.timing(performance.now(), Date.now()), [clock]);
  return { phase, begun, start, play, chosen, timing };
}
