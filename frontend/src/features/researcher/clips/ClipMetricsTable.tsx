import { useLingui } from '@lingui/react/macro';

import type { ClipSideOut, MetricOut } from '../../../shared/api/contract.gen';
import { decimal, seconds } from '../../../shared/i18n/format';
import { type Language, useLanguage } from '../../../shared/i18n/language';
import { DataTable } from '../tables/DataTable';
import { useMetrics } from '../tables/useMetrics';

/** Table of all metrics of the takes in a clip, with the plain film's value and the value measured on the clip's frames. */
export function ClipMetricsTable({ sides }: { sides: readonly ClipSideOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const metrics = useMetrics();
  const rows = metrics.filter(({ field, plain_of, visual }) => plain_of === null && (visual || sides.some(({ metrics: values }) => (values[field] ?? null) !== null)));
  const several = sides.length > 1;
  const columns = [t`value`, t`plain film`, t`on the clip's frames`];
  const heads = sides.flatMap(({ stack }, place) => {
    const where = place === 0 ? t`left (${stack})` : t`right (${stack})`;
    return several ? columns.map((head) => `${head}, ${where}`) : columns;
  });
  return (
    <DataTable
      caption={t`Metrics of this clip`}
      head={[t`metric`, ...heads]}
      numeric={heads.map((_, place) => place + 1)}
      size={several ? 'text' : 'small'}
      rows={rows.map((metric) => ({
        key: metric.key,
        cells: [
          <abbr key="label" title={language === 'de' ? metric.name_de : metric.name}>
            {metric.label}
          </abbr>,
          ...sides.flatMap((side) => {
            const plain = metrics.find(({ plain_of }) => plain_of === metric.key);
            return [shown(side.metrics, metric, language), plain === undefined ? '' : shown(side.metrics, plain, language), metric.visual ? shown(side.clip_metrics, metric, language) : ''];
          }),
        ],
      }))}
    />
  );
}

function shown(values: ClipSideOut['metrics'], { field, unit }: MetricOut, language: Language): string {
  const value = values[field] ?? null;
  if (value === null) return '–';
  return unit === '' ? decimal(value, 3, language) : `${seconds(value, language)}\u00a0s`;
}
