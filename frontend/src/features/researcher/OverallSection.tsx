import { Trans } from '@lingui/react/macro';

import { Figures, useFigureNames } from './figures/Figures';

/** What may be seen of the votes while results by stack are hidden. */
export function OverallSection() {
  if (useFigureNames(['scores']).length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>All ratings together</Trans>
      </h2>
      <Figures of="scores" />
    </section>
  );
}
