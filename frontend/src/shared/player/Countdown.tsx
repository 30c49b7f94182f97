import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

const steps = 3;
const stepMs = 600;

/** Counts down from three before a film starts. The countdown waits while the page is hidden. */
export function Countdown({ onDone }: { onDone: () => void }) {
  const [left, setLeft] = useState(steps);
  const done = useRef(onDone);
  useEffect(() => { done.current = onDone; });

  useEffect(() => {
    if (left > 0) {
      const timer = setTimeout(() => { setLeft(left - 1); }, stepMs);
      return () => { clearTimeout(timer); };
    }
    const go = () => {
      if (document.visibilityState === 'hidden') return;
      document.removeEventListener('visibilitychange', go);
      done.current();
    };
    document.addEventListener('visibilitychange', go);
    go();
    return () => { document.removeEventListener('visibilitychange', go); };
  }, [left]);

  return (
    <div className="stage__cover stage__countdown">
      <span className="visually-hidden" role="status">
        <Trans>The video is about to start.</Trans>
      </span>
      {left > 0 && (
        <span key={left} className="stage__count" aria-hidden="true">
          {left}
        </span>
      )}
    </div>
  );
}
