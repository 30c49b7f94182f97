import { Plural, Trans } from '@lingui/react/macro';

import type { Size } from '../../shared/player/evidence';
import { useWindowSize } from '../../shared/player/useWindowSize';
import { PageHeading } from '../../shared/ui/page';

interface Props {
  count: number;
  needed: Size;
  /** Null where the study lets nobody leave them out. */
  onSkip: (() => void) | null;
}

/** Two pages beside each other need room; whoever has none may leave these trials out, where the study says so. */
export function NarrowPage({ count, needed, onSkip }: Props) {
  return (
    <div className="narrow">
      <PageHeading>
        <Trans>The next videos need a wider window</Trans>
      </PageHeading>
      <p>
        <Trans>
          They show two websites side by side. Please turn your device, or make the window larger. This page continues as soon as there is enough room.
        </Trans>
      </p>
      <WindowFacts needed={needed} />
      {onSkip !== null && (
        <div className="actions">
          <button type="button" className="button button--quiet" onClick={onSkip}>
            <Plural value={count} one="Skip this video" other="Skip these # videos" />
          </button>
        </div>
      )}
    </div>
  );
}

/** How large the window is, and has to be. */
export function WindowFacts({ needed }: { needed: Size }) {
  const { width_px: width, height_px: height } = useWindowSize();
  const { width_px: neededWidth, height_px: neededHeight } = needed;
  return (
    <p className="facts" role="status">
      <Trans>
        The window is {width} × {height} pixels large; {neededWidth} × {neededHeight} are needed.
      </Trans>
    </p>
  );
}
