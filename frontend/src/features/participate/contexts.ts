import { createContext } from 'react';

/** Begins with another person in this browser; null where a recruiter's id tells people apart. */
export const Another = createContext<(() => void) | null>(null);

/** In a researcher's preview, of which nothing is stored as data: begins it anew. Null for participants. */
export const Preview = createContext<(() => void) | null>(null);
