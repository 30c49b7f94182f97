import type { CorrelationOut, PointOut } from '../../shared/api/contract.gen';

export type Metric = CorrelationOut['metric'];

/** In the order in which they happen while a page loads; then those of the film with nothing frozen. */
export const metrics: readonly Metric[] = [
  'fvc',
  'si',
  'vc85',
  'lvc',
  'plt',
  'fvc_plain',
  'si_plain',
  'vc85_plain',
  'lvc_plain',
];

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
};

export function metricMs(point: PointOut, metric: Metric): number | null {
  switch (metric) {
    case 'fvc':
      return point.fvc_ms;
    case 'si':
      return point.si_ms;
    case 'vc85':
      return point.vc85_ms;
    case 'lvc':
      return point.lvc_ms;
    case 'plt':
      return point.plt_ms;
    case 'fvc_plain':
      return point.fvc_plain_ms;
    case 'si_plain':
      return point.si_plain_ms;
    case 'vc85_plain':
      return point.vc85_plain_ms;
    case 'lvc_plain':
      return point.lvc_plain_ms;
  }
}
