/** Keys of the researcher's queries in the query cache. */
export const studiesKey = ['research', 'studies'];
export const metricsKey = ['research', 'metrics'];
export const studyKey = (sha256: string) => ['research', 'studies', sha256];
export const fieldKey = (sha256: string) => ['research', 'field', sha256];
export const conformanceKey = (sha256: string) => ['research', 'conformance', sha256];
export const verdictsKey = (sha256: string) => ['research', 'verdicts', sha256];
export const allResultsKey = ['research', 'results'];
export const resultsKey = (sha256: string) => ['research', 'results', sha256];
export const inDepthKey = (sha256: string) => ['research', 'in-depth', sha256];
export const figuresKey = (sha256: string, part: 'results' | 'screening') => ['research', 'figures', sha256, part];
export const exportsKey = (sha256: string) => ['research', 'exports', sha256];
export const exportJobsKey = (sha256: string) => ['research', 'export-jobs', sha256];
export const privacyKey = (sha256: string) => ['research', 'privacy', sha256];
export const deletionKey = (sha256: string) => ['research', 'deletion', sha256];
export const sharesKey = (sha256: string) => ['research', 'shares', sha256];
export const clipsKey = (sha256: string) => ['research', 'clips', sha256];
export const clipKey = (sha256: string, digest: string) => ['research', 'clips', sha256, digest];
