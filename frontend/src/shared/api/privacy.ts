import * as v from 'valibot';

/** An export that was handed out; `withdrawn` counts participants in it who were erased since. */
export const Export = v.object({
  id: v.string(),
  exported_at: v.string(),
  exported_by: v.nullable(v.string()),
  snapshot_sha256: v.string(),
  votes: v.number(),
  sessions: v.number(),
  withdrawn: v.number(),
  withdrawn_at: v.nullable(v.string()),
});
export type Export = v.InferOutput<typeof Export>;

export const Privacy = v.object({
  recruiter_ids: v.number(),
  retention_months: v.nullable(v.number()),
  erasures: v.array(v.object({ id: v.string(), erased_at: v.string(), by: v.string(), votes: v.number() })),
});
export type Privacy = v.InferOutput<typeof Privacy>;
