import { Trans, useLingui } from '@lingui/react/macro';

import type { CorrelationOut, MosOut, PointOut } from '../../shared/api/contract.gen';
import { decimal, seconds } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { DataTable } from './DataTable';
import { type Dot, drawScatter } from './figures/drawScatter';
import { colourOf, drawLegend, Legend, namesOf, shapeOf } from './figures/encoding';
import { Figure } from './figures/Figure';
import { intervalOf } from './intervals';
import { isTime, type Metric, metricNames, metrics, metricValue } from './metrics';
import { NotInPlan } from './plan/unplanned';

/** How well each metric goes with what people said of the very clips they saw. */
export function CorrelationSection({ correlations, points, mos }: { correlations: readonly CorrelationOut[]; points: readonly PointOut[]; mos: readonly MosOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  if (correlations.length === 0 && points.length === 0) return null;
  const networks = namesOf(points, (point) => point.network);
  const stacks = namesOf(points, (point) => point.stack);
  const order = (metric: Metric) => metrics.indexOf(metric);
  const sorted = [...correlations].sort((a, b) => a.network.localeCompare(b.network, 'en') || order(a.metric) - order(b.metric));
  return (
    <section>
      <h2>
        <Trans>Correlation of metrics with votes</Trans>
        <NotInPlan analysis="metrics" />
      </h2>
      <p className="facts">
        <Trans>Correlation between a clip's mean opinion score and the metric of the same clip. For a good metric it is close to −1: the larger, the less satisfying.</Trans>
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
      <Legend networks={networks} stacks={stacks} />
      <div className="multiples">
        {metrics.filter((metric) => sorted.some((row) => row.metric === metric)).map((metric) => (
          <ScatterFigure key={metric} metric={metric} points={points} mos={mos} networks={networks} stacks={stacks} />
        ))}
      </div>
    </section>
  );
}

function ScatterFigure({ metric, points, mos, networks, stacks }: { metric: Metric; points: readonly PointOut[]; mos: readonly MosOut[]; networks: string[]; stacks: string[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const name = metricNames[metric];
  const known = points.flatMap((point) => {
    const value = metricValue(point, metric);
    const [ci_low, ci_high] = intervalOf(point, points, mos) ?? [null, null];
    return value === null ? [] : [{ ...point, value, ci_low, ci_high }];
  });
  const told = (value: number) => (isTime(metric) ? seconds(value, language) : decimal(value, 3, language));
  const axis = isTime(metric) ? t`${name} in s` : name;
  const dots = known.map(
    (point): Dot => ({
      key: point.clip_sha256,
      x: isTime(metric) ? point.value / 1000 : point.value,
      mos: point.mos,
      interval: point.ci_low === null || point.ci_high === null ? null : [point.ci_low, point.ci_high],
      colour: colourOf(networks, point.network),
      shape: shapeOf(stacks, point.stack),
      title: `${point.site}, ${point.network}, ${point.stack}: ${axis} ${told(point.value)}, MOS ${decimal(point.mos, 2, language)}`,
    }),
  );
  const label = t`Mean opinion score against ${name}`;
  return (
    <Figure
      label={label}
      caption={name}
      name={`mos-against-${metric}`}
      reading={t`Each mark is a clip: its metric to the right, its mean opinion score upwards. Colour shows the network, shape the stack. A vertical line is the 95 % confidence interval, where the clip is the only one of its condition. For a good metric, marks lie close to a falling line.`}
      rows={known}
      draw={(width) => ({
        ...drawScatter(dots, { x: axis, y: t`MOS`, log: t`(logarithmic)`, cut: (from, to) => t`(axis cut: ${from} to ${to} of 1 to 7)`, number: (value) => new Intl.NumberFormat(language).format(value) }, width),
        legend: drawLegend(networks, stacks, { network: t`Network:`, stack: t`Stack:` }, width),
      })}
      table={
        <DataTable
          caption={label}
          head={[t`site`, t`network`, t`stack`, t`n`, axis, t`MOS`, t`95 % CI from`, t`to`]}
          numeric={[3, 4, 5, 6, 7]}
          rows={known.map((point) => ({
            key: point.clip_sha256,
            cells: [point.site, point.network, point.stack, point.n, told(point.value), decimal(point.mos, 2, language), decimal(point.ci_low, 2, language), decimal(point.ci_high, 2, language)],
          }))}
        />
      }
    />
  );
}
