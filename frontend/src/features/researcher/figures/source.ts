import { createContext, useContext } from 'react';

const Context = createContext('eyelevel');

/** The start of the names of all files that figures below it are saved as. */
export const FilePrefix = Context.Provider;

export const useFilePrefix = (): string => useContext(Context);

/** Study, first 12 characters of the snapshot's digest, and `all` where simulated sessions are included; as in exports. */
export function prefixOf(study: string, snapshot: string | undefined, origin: 'person' | 'all'): string {
  return ['eyelevel', study, snapshot?.slice(0, 12) ?? '', origin === 'all' ? 'all' : ''].filter((part) => part !== '').join('-');
}
