import * as v from 'valibot';

import type { StudyClipOut } from '../../../shared/api/contract.gen';

const Condition = v.pipe(v.string(), v.parseJson(), v.object({ site: v.string(), network: v.string(), stacks: v.array(v.string()), context: v.string() }));

/** What was rated, or compared if there are two stacks, in which context; either stack may be the left one. */
export type Condition = v.InferOutput<typeof Condition>;

/** What a mark of a figure stands for: a clip, by its digest, or a condition, of which there can be several clips. */
export type Opened = { clip: string } | { condition: Condition };

/** What the mark stands for; null for a mark of neither. */
export function openedBy(mark: Element): Opened | null {
  const clip = mark.getAttribute('data-clip');
  if (clip !== null) return { clip };
  const condition = v.safeParse(Condition, mark.getAttribute('data-condition'));
  return condition.success ? { condition: condition.output } : null;
}

/** Whether votes on the clip are part of the condition's result. */
export function isOf(clip: StudyClipOut, { site, network, stacks, context }: Condition): boolean {
  const same = (one: readonly string[], other: readonly string[]) => one.length === other.length && [...one].sort().join('\n') === [...other].sort().join('\n');
  return clip.roles.includes('main') && clip.site === site && clip.network === network && clip.contexts.includes(context) && same(clip.stacks, stacks);
}
