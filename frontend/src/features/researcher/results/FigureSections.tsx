import { Trans } from '@lingui/react/macro';

import { Figures, useFigureNames } from '../figures/Figures';
import { NotInPlan } from '../plan/unplanned';

/** Mean opinion scores: all at a glance, then one figure per network, then how the scores are distributed. */
export function MosSection() {
  return (
    <section>
      <h2>
        <Trans>How satisfying the speed was</Trans>
        <NotInPlan analysis="mos" />
      </h2>
      <Figures of="satisfaction" />
      <Figures of="mos" />
      <Figures of="score-distributions" />
      <Figures of="scores" />
    </section>
  );
}

/** Side by side: which stack people found faster, one figure per pair and network. */
export function ComparisonSection() {
  return (
    <section>
      <h2>
        <Trans>Which side loaded faster</Trans>
        <NotInPlan analysis="comparisons" />
      </h2>
      <Figures of="pairs" />
    </section>
  );
}

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
