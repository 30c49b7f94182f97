import { Trans } from '@lingui/react/macro';

import type { Size } from './evidence';

/** Why a film cannot be started just now. */
export function NeedsRoom({ needed }: { needed: Size }) {
  const { width_px: width, height_px: height } = needed;
  return (
    <Trans>
      To play the video, please make the window larger: {width} × {height} pixels are needed.
    </Trans>
  );
}
