import { Trans } from '@lingui/react/macro';

import { Figures } from './figures/Figures';
import { NotInPlan } from './plan/unplanned';

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
