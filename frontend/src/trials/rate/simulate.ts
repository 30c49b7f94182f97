import { pick, type Rng } from '../../shared/lib/rng';
import type { RateData, RateParams } from './schema';

export function simulate(_params: RateParams, rng: Rng): RateData {
  return { score: pick(rng, [1, 2, 3, 4, 5, 6, 7]) };
}
