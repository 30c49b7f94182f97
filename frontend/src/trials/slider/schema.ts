import * as v from 'valibot';

import { Text } from '../../shared/api/forms';

/** `labels`: marks at equal distances, from 0 (extremely bad) to 100 (ideal). */
export const SliderParams = v.object({ question: Text, labels: v.pipe(v.array(Text), v.length(7)) });
export type SliderParams = v.InferOutput<typeof SliderParams>;

export const SliderData = v.object({ value: v.pipe(v.number(), v.minValue(0), v.maxValue(100)) });
export type SliderData = v.InferOutput<typeof SliderData>;
