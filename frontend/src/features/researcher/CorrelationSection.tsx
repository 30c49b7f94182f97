import { Trans, useLingui } from '@lingui/react/macro';

import type { CorrelationOut } from '../../shared/api/contract.gen';
import { decimal } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { DataTable } from './DataTable';
import { Figures } from './figures/Figures';
import { type Metric, metricNames, metrics } from './metrics';
import { NotInPlan } from './plan/unplanned';

/** How well each metric goes with what people said of the very clips they saw. */
export function CorrelationSection({ correlations }: { correlations: readonly CorrelationOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  if (correlations.length === 0) return null;
  const order = (metric: Metric) => metrics.indexOf(metric);
  const sorted = [...correlations].sort((a, b) => a.network.localeCompare(b.network, 'en') || order(a.metric) - order(b.metric));
  return (
    <section>
      <h2>
        <Trans>Correlation of metrics with votes</Trans>
        <NotInPlan analysis="metrics" />
      </h2>
      <p className="facts">
        <Trans>Correlation between a clip's mean opinion score and the metric of the same clip. For a good metric it is close to −1: the larger, the less satisfying.</Trans>{' '}
        <Trans>Coefficients are given for at least 10 clips of 5 sites; p is not corrected for the number of metrics.</Trans>
      </p>
      <DataTable
        caption={t`Correlations`}
        head={[t`network`, t`metric`, t`clips`, t`votes`, t`Pearson`, t`95 % CI from`, t`to`, t`p`, t`Spearman`]}
        numeric={[2, 3, 4, 5, 6, 7, 8]}
        rows={sorted.map((row) => ({
          key: `${row.network}/${row.metric}`,
          cells: [
            row.network,
            metricNames[row.metric],
            row.clips,
            row.votes,
            decimal(row.pearson, 2, language),
            decimal(row.pearson_ci_low, 2, language),
            decimal(row.pearson_ci_high, 2, language),
            decimal(row.p_value, 3, language),
            decimal(row.spearman, 2, language),
          ],
        }))}
      />
      <Figures of="leaderboard" />
      <Figures of="against" />
    </section>
  );
}
