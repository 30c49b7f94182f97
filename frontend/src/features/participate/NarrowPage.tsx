import { Plural, Trans } from '@lingui/react/macro';

import type { Size } from '../../shared/player/evidence';
import { PageHeading } from '../../shared/ui/PageHeading';

/** Two pages beside each other need room; whoever has none may leave these trials out. */
export function NarrowPage({ count, needed, window, onSkip }: { count: number; needed: Size; window: Size; onSkip: () => void }) {
  const { width_px: width, height_px: height } = window;
  const { width_px: neededWidth, height_px: neededHeight } = needed;
  return (
    <div className="narrow">
      <PageHeading>
        <Trans>The next videos need a wider window</Trans>
      </PageHeading>
      <p>
        <Trans>
          They show two websites beside each other. Please turn your device, or make the window larger: this page goes on by itself as soon as there is room.
        </Trans>
      </p>
      <p className="facts" role="status">
        <Trans>
          The window is {width} × {height} pixels large; {neededWidth} × {neededHeight} are needed.
        </Trans>
      </p>
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={onSkip}>
          <Plural value={count} one="Skip this video" other="Skip these # videos" />
        </button>
      </div>
    </div>
  );
}
