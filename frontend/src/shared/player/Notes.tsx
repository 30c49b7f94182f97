import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { pixels } from '../i18n/format';
import { Action } from '../ui/page';
import type { Size } from './evidence/evidence';

/** Where the browser kept a film from playing: what to do, since a press alone may be what it wants. */
export function Held() {
  return (
    <p role="alert">
      <Trans>Your browser blocked the video. Please start it again; it then begins immediately.</Trans>
    </p>
  );
}

/** Why a film cannot be started just now. */
export function NeedsRoom({ needed }: { needed: Size }) {
  const size = pixels(needed);
  return <Trans>To play the video, please make the window larger: {size} pixels are needed.</Trans>;
}

interface Props {
  /** The study goes on elsewhere. */
  begun: boolean;
  /** For one whose browser has shown videos before: a fault may pass. */
  onRetry?: () => void;
  /** Another way out. */
  children?: ReactNode;
}

/** What to do where a browser shows no picture. */
export function Undecodable({ begun, onRetry, children }: Props) {
  return (
    <div className="stage__fault">
      <div role="alert">
        <p>
          <strong>
            <Trans>Your browser cannot show these videos.</Trans>
          </strong>
        </p>
        <p>
          <Trans>
            The videos of this study are H.264 in MP4. Please open the same link in a current version of Chrome, Edge, Firefox or Safari; on Linux, Firefox and
            Chromium may need a package with video codecs.
          </Trans>
        </p>
        {begun && (
          <p>
            <Trans>Your answers so far are kept.</Trans>
          </p>
        )}
        {onRetry !== undefined && (
          <Action quiet onClick={onRetry}>
            <Trans>Try again</Trans>
          </Action>
        )}
      </div>
      {children}
    </div>
  );
}
