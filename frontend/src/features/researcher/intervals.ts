import type { MosOut, PointOut } from '../../shared/api/contract.gen';

type Place = Pick<PointOut, 'site' | 'network' | 'stack'>;

const same = (a: Place, b: Place) => a.site === b.site && a.network === b.network && a.stack === b.stack;

/** The confidence interval of a clip's MOS: that of its condition, where the clip is the condition's only one and was rated in a single context; else null. */
export function intervalOf(point: PointOut, points: readonly PointOut[], mos: readonly MosOut[]): readonly [number, number] | null {
  const [row, ...others] = mos.filter((one) => same(one, point));
  const alone = others.length === 0 && points.filter((one) => same(one, point)).length === 1;
  if (row === undefined || !alone || Math.abs(row.mos - point.mos) > 1e-9 || row.ci_low === null || row.ci_high === null) return null;
  return [row.ci_low, row.ci_high];
}

/** The end of the scale that the means of most conditions are within one point of; differences near it look smaller than they are. */
export function ceilingOf(mos: readonly Pick<MosOut, 'mos'>[]): 'top' | 'bottom' | null {
  const most = (count: number) => 2 * count > mos.length;
  if (most(mos.filter((row) => row.mos > 6).length)) return 'top';
  if (most(mos.filter((row) => row.mos < 2).length)) return 'bottom';
  return null;
}
