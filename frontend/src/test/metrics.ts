import type { MetricOut } from '../shared/api/contract.gen';

const known = { name: '', name_de: '', definition: '', unit: 'ms', visual: true, plain_of: null };
const film = ['fvc', 'si', 'vc85', 'lvc'];

/** Some of the metrics that a server lists, in its order. */
export const someMetrics: MetricOut[] = [
  ...film.map((key) => ({ ...known, key, field: `${key}_ms`, label: key.toUpperCase(), name: `the name of ${key}`, group: 'main' as const })),
  { ...known, key: 'plt', field: 'plt_ms', label: 'PLT', visual: false, group: 'main' },
  ...film.map((key) => ({ ...known, key: `${key}_plain`, field: `${key}_plain_ms`, label: `${key.toUpperCase()} plain`, plain_of: key, group: 'plain' as const })),
  { ...known, key: 'lcp', field: 'lcp_ms', label: 'LCP', visual: false, group: 'browser' },
  { ...known, key: 'cls', field: 'cls', label: 'CLS', unit: '', visual: false, group: 'browser' },
];
