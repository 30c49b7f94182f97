import * as v from 'valibot';

/** A hypothesis of a frozen plan: its sentence, and the fields that a program reads; without kind it reads none. */
export const Hypothesis = v.object({
  key: v.string(),
  says: v.string(),
  kind: v.optional(v.picklist(['rate', 'compare', 'metrics'])),
  pair: v.optional(v.tuple([v.string(), v.string()])),
  networks: v.optional(v.picklist(['each', 'pooled'])),
  over: v.optional(v.array(v.string())),
  expects: v.optional(v.picklist(['higher', 'lower', 'different', 'equivalent'])),
  margin: v.optional(v.number()),
  margin_reason: v.optional(v.string()),
  metric: v.optional(v.string()),
});
export type Hypothesis = v.InferOutput<typeof Hypothesis>;
