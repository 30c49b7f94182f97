import { Plural, Trans } from '@lingui/react/macro';

import { pixels } from '../../../shared/i18n/format';
import { FullScreenButton } from '../../../shared/player/FullScreen';
import { useViewport } from '../../../shared/player/useViewport';
import { type Extent, type Lacking, neededFor, type Remedy, remedyFor, thisDevice } from './room';

/** Advice for videos that need a larger window. */
export function Advice({ remedy }: { remedy: Exclude<Remedy, null> }) {
  switch (remedy) {
    case 'turn':
      return <Trans>Please turn your device.</Trans>;
    case 'enlarge':
      return <Trans>Please make the window larger.</Trans>;
    case 'unzoom':
      return <Trans>Please make the window larger and reduce the zoom of the browser.</Trans>;
  }
}

/** Current and required window size, advice, and a full-screen button if it helps. */
export function RoomAdvice({ lacking, remedy }: { lacking: readonly Lacking[]; remedy: Remedy }) {
  const viewport = useViewport();
  const size = pixels(viewport);
  const needed = pixels(neededFor(lacking, viewport));
  return (
    <>
      {remedy === null ? (
        <p>
          <Trans>This screen is too small.</Trans>
        </p>
      ) : (
        <p>
          <Advice remedy={remedy} /> <Trans>This page continues as soon as the window is large enough.</Trans>
        </p>
      )}
      <p className="facts" role="status">
        <Trans>
          The window size is {size} pixels; {needed} are needed.
        </Trans>
      </p>
      {remedy === 'enlarge' && <FullScreenButton primary />}
    </>
  );
}

/** Number of videos and estimated minutes. */
export function HowMuch({ count, minutes, atMost = false }: Pick<Extent, 'count' | 'minutes'> & Partial<Pick<Extent, 'atMost'>>) {
  const videos = atMost ? <Plural value={count} one="At most # short video" other="At most # short videos" /> : <Plural value={count} one="# short video" other="# short videos" />;
  return (
    <p className="facts">
      <Trans>
        {videos}, about <Plural value={minutes} one="# minute" other="# minutes" />
      </Trans>
    </p>
  );
}

/** Shown before consent: the number of videos left out because of the window size, and how to include them. */
export function LeftOut({ extent: { leftOut, atMost, lacking } }: { extent: Extent }) {
  const viewport = useViewport();
  if (leftOut === 0) return null;
  const remedy = remedyFor(lacking, viewport, thisDevice());
  return (
    <p role="status">
      {atMost ? (
        <Plural value={leftOut} one="At least # more video is left out, because this window is too small for it." other="At least # more videos are left out, because this window is too small for them." />
      ) : (
        <Plural value={leftOut} one="# more video is left out, because this window is too small for it." other="# more videos are left out, because this window is too small for them." />
      )}{' '}
      {remedy === null ? null : (
        <>
          <Trans>If you also want to see them:</Trans> <Advice remedy={remedy} />
        </>
      )}
    </p>
  );
}
