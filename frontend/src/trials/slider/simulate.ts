import type { Rng } from '../../shared/lib/rng';
import type { SliderData, SliderParams } from './schema';

export function simulate(_params: SliderParams, rng: Rng): SliderData {
  return { value: Math.floor(rng() * 101) };
}
