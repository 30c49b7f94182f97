import type { ClipSideOut, CorrelationOut } from '../../shared/api/contract.gen';

export type Metric = CorrelationOut['metric'];

export const metricNames: Record<Metric, string> = {
  fvc: 'FVC',
  si: 'SI',
  vc85: 'VC85',
  lvc: 'LVC',
  plt: 'PLT',
  fvc_plain: 'FVC plain',
  si_plain: 'SI plain',
  vc85_plain: 'VC85 plain',
  lvc_plain: 'LVC plain',
  fcp: 'FCP',
  lcp: 'LCP',
  cls: 'CLS',
  cls_sum: 'CLS sum',
  tbt: 'TBT',
  tti: 'TTI',
  dcl: 'DCL',
  ttfb: 'TTFB',
};

/** The main ones, then those of the film with nothing frozen, then what the browser measures. */
export const metrics = Object.keys(metricNames) as readonly Metric[];

/** Those of the paper. */
export const mainMetrics: readonly Metric[] = ['fvc', 'si', 'vc85', 'lvc', 'plt'];
export const otherMetrics = metrics.filter((metric) => !mainMetrics.includes(metric));

const fields = {
  fvc: 'fvc_ms',
  si: 'si_ms',
  vc85: 'vc85_ms',
  lvc: 'lvc_ms',
  plt: 'plt_ms',
  fvc_plain: 'fvc_plain_ms',
  si_plain: 'si_plain_ms',
  vc85_plain: 'vc85_plain_ms',
  lvc_plain: 'lvc_plain_ms',
  fcp: 'fcp_ms',
  lcp: 'lcp_ms',
  cls: 'cls',
  cls_sum: 'cls_sum',
  tbt: 'tbt_ms',
  tti: 'tti_ms',
  dcl: 'dcl_ms',
  ttfb: 'ttfb_ms',
} as const satisfies Record<Metric, keyof ClipSideOut['metrics']>;

/** Whether a metric is in ms; CLS is a plain number. */
export function isTime(metric: Metric): boolean {
  return fields[metric].endsWith('_ms');
}

/** The name of the field that has the metric. */
export function fieldOf(metric: Metric): (typeof fields)[Metric] {
  return fields[metric];
}
