/** The path to open after logging in. Accepts paths of this site only, to prevent open redirects. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}

/** Whether the server answers this path with another document. */
export function isElsewhere(path: string): boolean {
  return path.startsWith('/django-admin');
}
