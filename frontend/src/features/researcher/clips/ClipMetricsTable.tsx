import { useLingui } from '@lingui/react/macro';

import type { ClipSideOut } from '../../../shared/api/contract.gen';
import { decimal, seconds } from '../../../shared/i18n/format';
import { type Language, useLanguage } from '../../../shared/i18n/language';
import { DataTable } from '../DataTable';
import { fieldOf, isTime, type Metric, metricNames, metrics } from '../metrics';

const suffix = '_plain';
/** Of the visual metrics, the one of the film as it was shown. */
const plainOf = (metric: Metric) => metrics.find((one) => one === `${metric}${suffix}`);
const visible = (metric: Metric): metric is 'fvc' | 'si' | 'vc85' | 'lvc' => plainOf(metric) !== undefined;

/** Every metric of the takes that a clip shows; beside it that of the plain film, and that on the clip's frames. */
export function ClipMetricsTable({ sides }: { sides: readonly ClipSideOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const rows = metrics.filter((metric) => !metric.endsWith(suffix)).filter((metric) => sides.some((side) => valueOf(side, metric) !== null) || visible(metric));
  const several = sides.length > 1;
  const own = [t`value`, t`plain film`, t`on the clip's frames`];
  const heads = sides.flatMap(({ stack }, place) => {
    const where = place === 0 ? t`left (${stack})` : t`right (${stack})`;
    return several ? own.map((head) => `${head}, ${where}`) : own;
  });
  return (
    <DataTable
      caption={t`Metrics of this clip`}
      head={[t`metric`, ...heads]}
      numeric={heads.map((_, place) => place + 1)}
      size={several ? 'text' : 'small'}
      rows={rows.map((metric) => ({
        key: metric,
        cells: [
          metricNames[metric],
          ...sides.flatMap((side) => {
            const plain = plainOf(metric);
            const onFrames = visible(metric) ? side.clip_metrics[`${metric}_ms`] : null;
            return [shown(valueOf(side, metric), metric, language), plain === undefined ? '' : shown(valueOf(side, plain), plain, language), visible(metric) ? shown(onFrames, metric, language) : ''];
          }),
        ],
      }))}
    />
  );
}

const valueOf = (side: ClipSideOut, metric: Metric) => side.metrics[fieldOf(metric)];

function shown(value: number | null, metric: Metric, language: Language): string {
  if (value === null) return '–';
  return isTime(metric) ? `${seconds(value, language)}\u00a0s` : decimal(value, 3, language);
}
