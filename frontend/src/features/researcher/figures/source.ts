import { createContext, useContext } from 'react';

/** Study and snapshot that the figures of a page show; both are part of the name of every file. */
export interface Source {
  /** "eyelevel-pilot-0123456789ab" */
  prefix: string;
  /** "Study pilot, snapshot 0123456789ab" */
  words: string;
}

const Context = createContext<Source>({ prefix: 'eyelevel', words: '' });

export const FigureSource = Context.Provider;

export const useSource = (): Source => useContext(Context);

/** The start of file names: study, first 12 characters of the snapshot's digest, and `all` where simulated sessions are included; as in exports. */
export function prefixOf(study: string, snapshot: string | undefined, origin: 'person' | 'all'): string {
  return ['eyelevel', study, snapshot?.slice(0, 12) ?? '', origin === 'all' ? 'all' : ''].filter((part) => part !== '').join('-');
}
