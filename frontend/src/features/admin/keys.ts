export const batchesKey = ['batches'];
export const batchKey = (sha256: string) => ['batches', sha256];
export const peopleKey = ['people'];
