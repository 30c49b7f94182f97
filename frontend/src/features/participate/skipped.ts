import { recall, remember } from '../../shared/lib/storage';

const keyOf = (sessionId: string) => `eyelevel.skipped.${sessionId}`;

/** Positions skipped in a narrow window, remembered over reloads. */
export function recallSkipped(sessionId: string): number[] {
  return (recall(keyOf(sessionId)) ?? '').split(',').filter((part) => part !== '').map(Number).filter(Number.isInteger);
}

export function rememberSkipped(sessionId: string, positions: Iterable<number>): void {
  remember(keyOf(sessionId), [...positions].join(','));
}
