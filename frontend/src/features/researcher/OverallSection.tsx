import { Trans } from '@lingui/react/macro';

import { Figures, useHasFigure } from './figures/Figures';

/** What may be seen of the votes while results by stack are hidden. */
export function OverallSection() {
  if (!useHasFigure('scores')) return null;
  return (
    <section>
      <h2>
        <Trans>All ratings together</Trans>
      </h2>
      <Figures of="scores" />
    </section>
  );
}
