import { Trans } from '@lingui/react/macro';
import type { SyntheticEvent } from 'react';

import { urlOf } from '../../shared/api/client';
import type { ClipRow } from '../../shared/api/contract.gen';
import { seconds } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';

/** A clip with the names of its stacks, for accounts only. */
export function ClipCard({ batch, clip }: { batch: string; clip: ClipRow }) {
  const language = useLanguage();
  const { run } = clip;
  const title = `${clip.site}, ${clip.network}, ${clip.stacks.join(' | ')}`;
  const duration = seconds(clip.duration_ms, language);
  const si = clip.metrics.map(({ si_ms }) => seconds(si_ms ?? null, language)).join(' | ');
  const delay = clip.delays_ms.map((delay_ms) => seconds(delay_ms, language)).join(' | ');
  const plt = clip.metrics.map(({ plt_ms }) => seconds(plt_ms ?? null, language)).join(' | ');
  return (
    <figure className="clip">
      <video
        src={urlOf('/api/batches/{sha256}/clips/{digest}', { sha256: batch, digest: clip.sha256 })}
        width={clip.width_px}
        height={clip.height_px}
        controls
        muted
        playsInline
        preload="metadata"
        aria-label={title}
        onLoadedMetadata={showLastFrame}
      />
      <figcaption>
        <strong>{title}</strong>
        <span className="facts">
          <Trans>
            run {run} · {duration} s · SI {si} s · PLT {plt} s
          </Trans>
        </span>
        {clip.cut && (
          <span className="facts">
            <Trans>cut off before the page had settled: later metrics are unknown</Trans>
          </span>
        )}
        {clip.moving && (
          <span className="facts">
            {clip.kind === 'pair' ? (
              <Trans>motion that never ends: the two halves show different phases of it</Trans>
            ) : (
              <Trans>motion that never ends, such as a carousel: metrics count its first appearance</Trans>
            )}
          </span>
        )}
        {clip.purpose === 'identical' && (
          <span className="facts">
            <Trans>the same stack twice (A/A pair), to measure false alarms</Trans>
          </span>
        )}
        {clip.purpose === 'control' && (
          <span className="facts">
            <Trans>control: delayed by {delay} s, so that the right answer is known</Trans>
          </span>
        )}
      </figcaption>
    </figure>
  );
}

/** Shows the last frame as a preview, because the first frame is blank. Playback still starts at the beginning. */
function showLastFrame({ currentTarget: video }: SyntheticEvent<HTMLVideoElement>): void {
  video.addEventListener('play', () => { video.currentTime = 0; }, { once: true });
  video.currentTime = Math.max(0, video.duration - 0.05);
}
