import { useEffect } from 'react';
import * as v from 'valibot';

import type { StudyClipOut } from '../../../shared/api/contract.gen';

const Condition = v.pipe(v.string(), v.parseJson(), v.object({ site: v.string(), network: v.string(), stacks: v.array(v.string()), context: v.string() }));

/** A rated stack, or two compared stacks in any order, with site, network and context. */
export type Condition = v.InferOutput<typeof Condition>;

/** The object that a mark of a figure represents: a clip, by its digest, or a condition, which can have several clips. */
export type Opened = { clip: string } | { condition: Condition };

/** Returns the clip or condition that a mark represents, or null. */
export function openedBy(mark: Element): Opened | null {
  const clip = mark.getAttribute('data-clip');
  if (clip !== null) return { clip };
  const condition = v.safeParse(Condition, mark.getAttribute('data-condition'));
  return condition.success ? { condition: condition.output } : null;
}

/** Whether votes on the clip are part of the condition's result. */
export function isOf(clip: StudyClipOut, { site, network, stacks, context }: Condition): boolean {
  const same = (left: readonly string[], right: readonly string[]) => left.length === right.length && [...left].sort().join('\n') === [...right].sort().join('\n');
  return clip.roles.includes('main') && clip.site === site && clip.network === network && clip.contexts.includes(context) && same(clip.stacks, stacks);
}

/** The stack of a clip, or the two stacks of a pair: left | right. */
export const conditionOf = ({ stacks }: Pick<StudyClipOut, 'stacks'>) => stacks.join(' | ');

const marks = '.figure [data-clip], .figure [data-condition]';

/** Calls `onOpen` with the clip or condition of a mark when the mark is clicked, or Enter or Space is pressed on it. */
export function useMarkClicks(onOpen: (opened: Opened) => void): void {
  useEffect(() => {
    const open = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return;
      const mark = event.target instanceof Element ? event.target.closest(marks) : null;
      const opened = mark === null ? null : openedBy(mark);
      if (opened === null) return;
      // the space bar would scroll the page
      event.preventDefault();
      onOpen(opened);
    };
    document.addEventListener('click', open);
    document.addEventListener('keydown', open);
    return () => {
      document.removeEventListener('click', open);
      document.removeEventListener('keydown', open);
    };
  }, [onOpen]);
}
