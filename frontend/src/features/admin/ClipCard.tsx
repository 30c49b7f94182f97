import { Trans } from '@lingui/react/macro';

import type { BatchClip } from '../../shared/api/batches';
import { batchClipUrl } from '../../shared/api/getBatch';
import { seconds } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';

/** A clip with its stacks' names: for people with an account only. */
export function ClipCard({ batch, clip }: { batch: string; clip: BatchClip }) {
  const language = useLanguage();
  const { run } = clip;
  const title = `${clip.site}, ${clip.network}, ${clip.stacks.join(' | ')}`;
  const duration = seconds(clip.duration_ms, language);
  return (
    <figure className="clip">
      <video src={batchClipUrl(batch, clip.sha256)} controls muted playsInline preload="metadata" aria-label={title} />
      <figcaption>
        <strong>{title}</strong>
        <span className="facts">
          <Trans>
            run {run}, {duration} s
          </Trans>
        </span>
      </figcaption>
    </figure>
  );
}
