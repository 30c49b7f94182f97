/** Whether this page was loaded again, or come back to by the browser's own buttons, and not opened by its link. */
export function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  const type = entry === undefined ? 'navigate' : (entry as PerformanceNavigationTiming).type;
  return type === 'reload' || type === 'back_forward';
}
