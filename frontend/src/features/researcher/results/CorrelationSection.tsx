import { Trans } from '@lingui/react/macro';
import { useState } from 'react';

import type { MetricOut } from '../../../shared/api/contract.gen';
import { Figures, useFigureNames } from '../figures/Figures';
import { NotInPlan } from '../plan/unplanned';
import { useMetrics } from '../tables/useMetrics';

/** Agreement of each metric with mean opinion scores: the leaderboard first, then a figure per metric. */
export function CorrelationSection() {
  const metrics = useMetrics();
  const [main, others] = [metrics.filter(({ group }) => group === 'main'), metrics.filter(({ group }) => group !== 'main')];
  return (
    <section>
      <h2>
        <Trans>Correlation of metrics with votes</Trans>
        <NotInPlan analysis="metrics" />
      </h2>
      <Figures of="leaderboard" />
      {main.map((metric) => (
        <Figures key={metric.key} of={figureOf(metric)} />
      ))}
      <OtherMetrics metrics={others} />
    </section>
  );
}

function figureOf({ key }: MetricOut): string {
  return `against-${key}`;
}

/** The figures of the other metrics, which are many and therefore rendered on request. */
function OtherMetrics({ metrics }: { metrics: readonly MetricOut[] }) {
  const [open, setOpen] = useState(false);
  const names = useFigureNames(metrics.map(figureOf));
  if (names.length === 0) return null;
  const count = names.length;
  return (
    <details className="fold" onToggle={(event) => { setOpen(event.currentTarget.open); }}>
      <summary>
        <Trans>Mean opinion scores against other metrics ({count})</Trans>
      </summary>
      {open && names.map((name) => <Figures key={name} of={name} />)}
    </details>
  );
}
