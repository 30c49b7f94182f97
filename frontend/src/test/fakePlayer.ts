import { useEffect } from 'react';
import { vi } from 'vitest';

import type { PlayerEvents, StimulusPlayer } from '../shared/player/video/createPlayer';

/** Stands for the player where there is no decoder: `end()` is the end of the film, `hold()` the browser's refusal to play it, `fault()` its error. */
export class FakePlayer implements Pick<StimulusPlayer, 'unlock' | 'play' | 'stop' | 'dispose' | 'video'> {
  static last: FakePlayer | null = null;
  /** Set for a browser that cannot decode. */
  static broken = false;
  readonly video = document.createElement('video');
  readonly unlock = vi.fn();
  readonly play = vi.fn();
  readonly stop = vi.fn();
  readonly dispose = vi.fn();

  constructor(_host: HTMLElement, readonly source: string, private readonly events: PlayerEvents) {
    FakePlayer.last = this;
    queueMicrotask(() => {
      if (FakePlayer.broken) events.onFault();
      else events.onReady();
    });
  }

  end(): void {
    this.events.onEnded();
  }

  hold(): void {
    this.events.onHeld();
  }

  fault(): void {
    this.events.onFault();
  }
}

/** Stands for the countdown where no test wants to wait. */
export function NoCountdown({ playing, onPlay }: { playing: boolean; onPlay: () => void }): null {
  // once, as the film begins with it
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => { if (!playing) onPlay(); }, []);
  return null;
}
