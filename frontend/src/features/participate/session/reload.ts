import { recall, remember } from '../../../shared/lib/storage';

const keyOf = (sessionId: string) => `eyelevel.sign.${sessionId}`;
/** Longer ago, somebody else may sit in front of the page that is loaded again. */
const justNowMs = 60_000;

/** Notes in this tab that the person was in the session until now. */
export function noteSign(sessionId: string): void {
  remember(keyOf(sessionId), String(Date.now()), 'sessionStorage');
}

/** The page was loaded again in the middle of the session, moments after the last sign: nobody has to be asked who they are. */
export function isReload(sessionId: string, openedAtMs: number): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const sign = Number(recall(keyOf(sessionId), 'sessionStorage') ?? Number.NaN);
  return navigation?.type === 'reload' && openedAtMs - sign < justNowMs;
}
