import { pick, type Rng } from '../../shared/lib/rng';
import type { CompareData, CompareParams } from './schema';

export function simulate(_params: CompareParams, rng: Rng): CompareData {
  return { choice: pick(rng, ['left', 'right', 'none']), sureness: pick(rng, [1, 2, 3, 4, 5]) };
}
