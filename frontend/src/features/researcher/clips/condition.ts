import type { StudyClipOut } from '../../../shared/api/contract.gen';

/** A stack, or the two of a pair as they stand: left | right. */
export const conditionOf = ({ stacks }: Pick<StudyClipOut, 'stacks'>) => stacks.join(' | ');
