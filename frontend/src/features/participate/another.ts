import { createContext } from 'react';

/** Begins with another person in this browser; null where a recruiter's id tells people apart. */
export const Another = createContext<(() => void) | null>(null);
