import { Trans } from '@lingui/react/macro';

import { Figures } from './figures/Figures';
import { NotInPlan } from './plan/unplanned';

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
