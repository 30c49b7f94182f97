import { Plural, Trans } from '@lingui/react/macro';

import { PageHeading } from '../../shared/ui/PageHeading';

/** Two pages beside each other need room; whoever has none may leave these trials out. */
export function NarrowPage({ count, minWidthPx, widthPx, onSkip }: { count: number; minWidthPx: number; widthPx: number; onSkip: () => void }) {
  return (
    <div className="narrow">
      <PageHeading>
        <Trans>The next videos need a wider window</Trans>
      </PageHeading>
      <p>
        <Trans>
          They show two websites beside each other. Please turn your device, make the window wider, or make the page smaller with the browser's zoom: this page
          goes on by itself as soon as there is room.
        </Trans>
      </p>
      <p className="facts" role="status">
        <Trans>
          The window is {widthPx} pixels wide; {minWidthPx} are needed.
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
