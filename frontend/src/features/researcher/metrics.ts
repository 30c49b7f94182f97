import type { CorrelationOut } from '../../shared/api/contract.gen';

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
  tbt: 'TBT',
  tti: 'TTI',
  dcl: 'DCL',
  ttfb: 'TTFB',
};

/** The main ones, then those of the film with nothing frozen, then what the browser measures. */
export const metrics = Object.keys(metricNames) as readonly Metric[];
