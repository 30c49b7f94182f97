/** Where to go after logging in: a path of this site, and nothing that a link from elsewhere could smuggle in. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}

/** Whether the server answers this path with a document of its own. */
export function isElsewhere(path: string): boolean {
  return path.startsWith('/django-admin');
}
