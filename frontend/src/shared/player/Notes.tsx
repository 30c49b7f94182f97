import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { pixels } from '../i18n/format';
import { Action } from '../ui/page';
import { Contact } from '../ui/text';
import type { Size } from './evidence/evidence';
import { useDecoding } from './video/useDecoding';

/** Note that the browser blocked the film, which may need a user action to start. */
export function PlaybackBlocked() {
  return (
    <p role="alert">
      <Trans>Your browser blocked the video. Please start it again; it then begins immediately.</Trans>
    </p>
  );
}

/** Note that a film needs a larger window. */
export function NeedsRoom({ needed }: { needed: Size }) {
  const size = pixels(needed);
  return <Trans>To play the video, please make the window larger: {size} pixels are needed.</Trans>;
}

/** Shown instead of a film that does not play, with what to do. */
export function Unplayable({ contact, onRetry, children }: { contact: string; onRetry: () => void; children: ReactNode }) {
  const decoding = useDecoding();
  return (
    <div className="stage__fault">
      <div role="alert">
        {decoding === 'no' ? (
          <>
            <NoPicture />
            <p>
              <Trans>Your answers so far are kept.</Trans>
            </p>
          </>
        ) : (
          <>
            <p>
              <strong>
                <Trans>This video does not play.</Trans>
              </strong>
            </p>
            <p>
              <Trans>Please try again, or reload the page. Your answers so far are kept.</Trans>
            </p>
            <p>
              <Trans>
                If the video still does not play, please write to <Contact contact={contact} />. The researchers see which video failed.
              </Trans>
            </p>
          </>
        )}
        <Action quiet onClick={onRetry}>
          <Trans>Try again</Trans>
        </Action>
      </div>
      {children}
    </div>
  );
}

/** Shown before the first film if the browser cannot decode the clips; `children` offer an alternative. */
export function Undecodable({ children }: { children?: ReactNode }) {
  return (
    <div className="stage__fault">
      <div role="alert">
        <NoPicture />
      </div>
      {children}
    </div>
  );
}

function NoPicture() {
  return (
    <>
      <p>
        <strong>
          <Trans>Your browser cannot show these videos.</Trans>
        </strong>
      </p>
      <p>
        <Trans>
          The videos of this study are H.264 in MP4. Please open the same link in a current version of Chrome, Edge, Firefox or Safari; on Linux, Firefox and Chromium
          may need a package with video codecs.
        </Trans>
      </p>
    </>
  );
}
