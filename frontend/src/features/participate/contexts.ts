import { createContext } from 'react';

/** Starts a session for another person in this browser; null where a recruiter's id identifies people. */
export const Another = createContext<(() => void) | null>(null);

/** Restarts a researcher's preview, of which nothing is stored as data. Null for participants. */
export const Preview = createContext<(() => void) | null>(null);
