import { Trans } from '@lingui/react/macro';

import { Figures, useFigureNames } from '../figures/Figures';
import { NotInPlan } from '../plan/unplanned';

/** Mean opinion scores: an overview, one figure per network, and distributions. */
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

/** Paired comparisons: which stack participants found faster, one figure per pair and network. */
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

/** The distribution of all votes, which is shown while results by stack are blinded. */
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
