import * as v from 'valibot';

import { Text } from '../../shared/api/forms';

/** `labels`: the seven points of the scale, from 1 (extremely bad) to 7 (ideal). */
export const RateParams = v.object({ question: Text, labels: v.pipe(v.array(Text), v.length(7)) });
export type RateParams = v.InferOutput<typeof RateParams>;

export const RateData = v.object({ score: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7)) });
export type RateData = v.InferOutput<typeof RateData>;
