import type { VoteBody } from '../shared/api/participant';

/** The layout of the answers: in a row or in a column. */
export type Layout = VoteBody['layout'];

/** Measures the layout from the positions of the answers; a slider counts as a row. */
export function layoutOf(form: HTMLElement): Layout {
  const [first, second] = form.querySelectorAll('.choice');
  if (first === undefined || second === undefined) return 'row';
  return second.getBoundingClientRect().top > first.getBoundingClientRect().top ? 'column' : 'row';
}
