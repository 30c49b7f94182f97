/** Leaves this page for another website. */
export function leaveTo(url: string): void {
  window.location.assign(url);
}
