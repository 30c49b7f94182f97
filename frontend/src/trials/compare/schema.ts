import * as v from 'valibot';

import { Text } from '../../shared/api/forms';

export const CompareParams = v.object({
  question: Text,
  sureness_labels: v.pipe(v.array(Text), v.length(5)),
});
export type CompareParams = v.InferOutput<typeof CompareParams>;

export const CompareData = v.object({
  choice: v.picklist(['left', 'right', 'none']),
  sureness: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
});
export type CompareData = v.InferOutput<typeof CompareData>;
