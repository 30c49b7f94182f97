import type { FieldingState } from '../../../shared/api/contract.gen';

/** What a fielding may become. Closing is for good. */
export function transitionsFrom(state: FieldingState): readonly FieldingState[] {
  switch (state) {
    case 'open':
      return ['paused', 'closed'];
    case 'paused':
      return ['open', 'closed'];
    case 'closed':
      return [];
  }
}
