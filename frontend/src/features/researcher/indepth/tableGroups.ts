import type { InDepthTableOut } from '../../../shared/api/contract.gen';

export type TableGroup = 'answers' | 'trust' | 'metrics' | 'comparisons';

/** In the order of the page. */
export const tableGroups: readonly TableGroup[] = ['answers', 'trust', 'metrics', 'comparisons'];

const tablesOf: Record<Exclude<TableGroup, 'answers'>, readonly string[]> = {
  trust: ['reliability', 'sos', 'subjects', 'subject-clips', 'straight-lining', 'sensitivity', 'order', 'sides', 'multiverse', 'multiverse-summary'],
  metrics: ['leaderboard', 'noise-ceilings', 'best-metrics', 'metric-differences', 'mappings', 'signs', 'recalled-correlations'],
  comparisons: ['pair-components', 'worths', 'jod', 'slopes', 'thresholds', 'detection', 'sureness', 'sureness-means', 'sureness-differences', 'replays'],
};

/** The tables of a group, in the order in which the server sends them; a table of no other group is about answers. */
export function inGroup(group: TableGroup, tables: readonly InDepthTableOut[]): InDepthTableOut[] {
  if (group !== 'answers') return tables.filter(({ name }) => tablesOf[group].includes(name));
  const others = Object.values(tablesOf).flat();
  return tables.filter(({ name }) => !others.includes(name));
}
