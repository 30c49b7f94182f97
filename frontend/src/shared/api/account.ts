import * as v from 'valibot';

export const Account = v.object({ username: v.string(), role: v.picklist(['researcher', 'admin']) });
export type Account = v.InferOutput<typeof Account>;
