import type { CorrelationOut, PointOut } from '../../shared/api/contract.gen';

export type Metric = CorrelationOut['metric'];

/** In the order in which they happen while a page loads. */
export const metrics: readonly Metric[] = ['fvc', 'si', 'vc85', 'lvc', 'plt'];

export const metricNames: Record<Metric, string> = { fvc: 'FVC', si: 'SI', vc85: 'VC85', lvc: 'LVC', plt: 'PLT' };

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
  }
}
