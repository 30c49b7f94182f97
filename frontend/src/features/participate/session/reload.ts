import { recall, remember } from '../../../shared/lib/storage';

const keyOf = (sessionId: string) => `eyelevel.sign.${sessionId}`;
/** After this time, another person may be using the reloaded page. */
const justNowMs = 60_000;

/** Records in this tab that the person was active in the session until now. */
export function noteSign(sessionId: string): void {
  remember(keyOf(sessionId), String(Date.now()), 'sessionStorage');
}

/** Whether the page was reloaded within the session, shortly after the last sign, so that nobody has to be asked whether they are the same person. */
export function isReload(sessionId: string, openedAtMs: number): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const sign = Number(recall(keyOf(sessionId), 'sessionStorage') ?? Number.NaN);
  return navigation?.type === 'reload' && openedAtMs - sign < justNowMs;
}
