import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

const steps = 3;
const stepMs = 600;
/** The last number disappears two repaints early, so that it never covers a changing picture. */
const earlyMs = 34;

interface Props {
  /** The clip's lead-in, over which the countdown runs to its end, in ms. */
  leadMs: number;
  /** The film is playing; the rest of the countdown follows the film's clock. */
  playing: boolean;
  /** The position of the film in ms. */
  filmMs: () => number;
  /** Called when the rest of the countdown is as long as the lead-in. */
  onPlay: () => void;
}

/**
 * Counts down from three to navigation start in the film. The film plays below the last part of the countdown, and
 * starts only while the page is visible.
 */
export function Countdown({ leadMs, playing, filmMs, onPlay }: Props) {
  const [left, setLeft] = useState(() => numberAt(playing ? leadMs : steps * stepMs));
  // a screen reader announces text that is added to a region, not its initial text
  const [announced, setAnnounced] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => { setAnnounced(true); }, 100);
    return () => { clearTimeout(timer); };
  }, []);
  const latest = useRef({ playing, filmMs, onPlay });
  useEffect(() => { latest.current = { playing, filmMs, onPlay }; });

  useEffect(() => {
    const startedAt = performance.now();
    let asked = false;
    let handle = 0;
    const look = () => {
      const now = latest.current;
      const leftMs = now.playing ? leadMs - now.filmMs() : Math.max(leadMs, steps * stepMs - (performance.now() - startedAt));
      setLeft(numberAt(leftMs));
      if (now.playing && leftMs <= earlyMs) return;
      if (!now.playing && !asked && leftMs <= leadMs && document.visibilityState !== 'hidden') {
        asked = true;
        now.onPlay();
      }
      handle = requestAnimationFrame(look);
    };
    handle = requestAnimationFrame(look);
    return () => { cancelAnimationFrame(handle); };
  }, [leadMs]);

  if (left === 0 && playing) return null;
  return (
    <div className="stage__cover stage__countdown">
      <span className="visually-hidden" role="status">
        {announced && <Trans>The video is about to start.</Trans>}
      </span>
      {left > 0 && (
        <span key={left} className="stage__count" aria-hidden="true">
          {left}
        </span>
      )}
    </div>
  );
}

function numberAt(leftMs: number): number {
  return leftMs <= earlyMs ? 0 : Math.min(steps, Math.ceil(leftMs / stepMs));
}
