import * as v from 'valibot';

export const roles = ['guest', 'researcher', 'admin'] as const;
export const Role = v.picklist(roles);
export type Role = v.InferOutput<typeof Role>;

export const Account = v.object({ username: v.string(), role: Role });
export type Account = v.InferOutput<typeof Account>;
