/** What the cache of answers calls them. */
export const studiesKey = ['research', 'studies'];
export const studyKey = (sha256: string) => ['research', 'studies', sha256];
export const resultsKey = (sha256: string) => ['research', 'results', sha256];
export const sharesKey = (sha256: string) => ['research', 'shares', sha256];
