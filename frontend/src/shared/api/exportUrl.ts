/** Where a study's export is downloaded from, by a plain link. */
export function exportUrl(sha256: string): string {
  return `/api/research/studies/${sha256}/export`;
}
