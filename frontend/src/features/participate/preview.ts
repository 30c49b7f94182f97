import { createContext } from 'react';

/** In a researcher's preview, of which nothing is stored as data: begins it anew. Null for participants. */
export const Preview = createContext<(() => void) | null>(null);
