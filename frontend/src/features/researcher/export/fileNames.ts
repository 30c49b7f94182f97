import { createContext, useContext } from 'react';

import { shortDigest } from '../../../shared/i18n/format';

const Context = createContext('eyelevel');

/** The start of the names of all files that the page saves below it: they name study and snapshot. */
export const FilePrefix = Context.Provider;

/** The name of a file of the page, without its ending; `name` says which table or figure it has. */
export function useFileName(name: string): string {
  return fileNameOf([useContext(Context), name]);
}

/** Characters that every file system takes; a plus sign stays, since names of stacks differ by it. */
export function fileNameOf(parts: readonly string[]): string {
  const clean = (part: string) => part.toLowerCase().replace(/[^\p{L}\p{N}+._]+/gu, '-').replace(/^-+|-+$/g, '');
  return parts.map(clean).filter((part) => part !== '').join('-');
}

/** Study, first 12 characters of the snapshot's digest, and `all` where simulated sessions are included; as in exports. */
export function prefixOf(study: string, snapshot: string | undefined, origin: 'person' | 'all'): string {
  return ['eyelevel', study, snapshot === undefined ? '' : shortDigest(snapshot), origin === 'all' ? 'all' : ''].filter((part) => part !== '').join('-');
}
