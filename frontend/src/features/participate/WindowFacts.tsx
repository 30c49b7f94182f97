import { Trans } from '@lingui/react/macro';

import type { Size } from '../../shared/player/evidence';
import { useWindowSize } from '../../shared/player/useWindowSize';

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
