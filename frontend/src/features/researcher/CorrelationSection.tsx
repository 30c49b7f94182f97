import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import type { CorrelationOut, MetricOut } from '../../shared/api/contract.gen';
import { decimal } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { DataTable } from './DataTable';
import { Figures, useFigureNames } from './figures/Figures';
import { NotInPlan } from './plan/unplanned';
import { useMetrics } from './useMetrics';

/** How well each metric goes with what people said of the very clips they saw: first what the leaderboard says of it. */
export function CorrelationSection({ correlations }: { correlations: readonly CorrelationOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const metrics = useMetrics();
  if (correlations.length === 0) return null;
  const order = (metric: string) => metrics.findIndex(({ key }) => key === metric);
  const [main, others] = [metrics.filter(({ group }) => group === 'main'), metrics.filter(({ group }) => group !== 'main')];
  const sorted = [...correlations].sort((a, b) => a.network.localeCompare(b.network, 'en') || order(a.metric) - order(b.metric));
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
      <details className="fold">
        <summary>
          <Trans>Correlations over all clips of a network</Trans>
        </summary>
        <p className="facts">
          <Trans>These correlations between mean opinion scores and metrics pool all sites, so they are large wherever sites differ in speed; prefer the agreement of metrics, shown above once every link is closed, which also compares clips of the same site and has the noise ceiling and intervals over participants and sites.</Trans>{' '}
          <Trans>For a good metric they are close to −1: the larger, the less satisfying. They are given for at least 10 clips of 5 sites.</Trans>
        </p>
        <DataTable
          caption={t`Correlations`}
          head={[t`network`, t`metric`, t`clips`, t`votes`, t`Pearson`, t`Spearman`]}
          numeric={[2, 3, 4, 5]}
          rows={sorted.map((row) => ({
            key: `${row.network}/${row.metric}`,
            cells: [row.network, metrics[order(row.metric)]?.label ?? row.metric, row.clips, row.votes, decimal(row.pearson, 2, language), decimal(row.spearman, 2, language)],
          }))}
        />
      </details>
    </section>
  );
}

function figureOf({ key }: MetricOut): string {
  return `against-${key}`;
}

/** The figures of the other metrics, drawn when they are asked for: they are many, and few are read. */
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
