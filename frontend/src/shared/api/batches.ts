import * as v from 'valibot';

/** A batch in the list; counts are unknown (null) until its manifest has been taken in. */
export const Batch = v.object({
  sha256: v.string(),
  campaign: v.string(),
  state: v.picklist(['receiving', 'visible']),
  received_at: v.string(),
  sites: v.array(v.string()),
  networks: v.array(v.string()),
  stacks: v.array(v.string()),
  takes: v.number(),
  clips: v.number(),
  bytes: v.number(),
});
export type Batch = v.InferOutput<typeof Batch>;

const known = v.nullable(v.number());
const Metrics = v.object({ fvc_ms: known, si_ms: known, vc85_ms: known, lvc_ms: known, plt_ms: known });

/** `stacks` and `metrics` go together; for a pair left, then right. */
export const BatchClip = v.object({
  sha256: v.string(),
  kind: v.picklist(['single', 'pair']),
  site: v.string(),
  network: v.string(),
  stacks: v.array(v.string()),
  run: v.number(),
  purpose: v.picklist(['study', 'identical', 'control']),
  delays_ms: v.array(v.number()),
  duration_ms: v.number(),
  width_px: v.number(),
  height_px: v.number(),
  metrics: v.array(Metrics),
});
export type BatchClip = v.InferOutput<typeof BatchClip>;

/** The same, with the clips themselves instead of their count. */
export const BatchDetail = v.object({ ...Batch.entries, clips: v.array(BatchClip) });
export type BatchDetail = v.InferOutput<typeof BatchDetail>;

/** What is still to be sent. */
export const Receiving = v.object({
  sha256: v.string(),
  state: v.picklist(['receiving', 'visible']),
  missing: v.array(v.string()),
});
export type Receiving = v.InferOutput<typeof Receiving>;
