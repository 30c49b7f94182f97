import { createContext } from 'react';

/** Whether this is a researcher's preview, of which nothing is stored as data. */
export const Preview = createContext(false);
