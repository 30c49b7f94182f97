import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

import { urlOf } from '../../../shared/api/client';
import type { StudyClipDetailOut } from '../../../shared/api/contract.gen';
import { ClipPanel } from './ClipPanel';

/** The video as participants see it, with a synchronised panel per side below it. */
export function ClipPlayer({ clip, title }: { clip: StudyClipDetailOut; title: string }) {
  const { t } = useLingui();
  const video = useRef<HTMLVideoElement>(null);
  const [now, setNow] = useState(0);
  useEffect(() => {
    let frame = 0;
    const follow = () => {
      // undefined until the video is loaded
      const ms = 1000 * (video.current?.currentTime ?? 0);
      setNow(Math.min(ms, clip.duration_ms));
      frame = requestAnimationFrame(follow);
    };
    frame = requestAnimationFrame(follow);
    return () => { cancelAnimationFrame(frame); };
  }, [clip.duration_ms]);
  return (
    <div className="clip">
      <video
        ref={video}
        src={urlOf('/api/batches/{sha256}/clips/{digest}', { sha256: clip.batch_sha256, digest: clip.sha256 })}
        width={clip.width_px}
        height={clip.height_px}
        controls
        muted
        playsInline
        preload="auto"
        aria-label={t`Video: ${title}`}
      />
      {clip.sides.map((side, place) => (
        // a pair can show the same take twice
        <ClipPanel key={place} clip={clip} side={side} now={now} />
      ))}
    </div>
  );
}
