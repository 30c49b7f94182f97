import type { VoteBody } from '../shared/api/participant';

/** How the answers stood: beside each other, or one below the other. */
export type Layout = VoteBody['layout'];

/** As measured at the answers themselves, whatever made them stand so; a slider has one track, which is a row. */
export function layoutOf(form: HTMLElement): Layout {
  const [first, second] = form.querySelectorAll('.choice');
  if (first === undefined || second === undefined) return 'row';
  return second.getBoundingClientRect().top > first.getBoundingClientRect().top ? 'column' : 'row';
}
