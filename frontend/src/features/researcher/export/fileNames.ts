import { createContext, useContext } from 'react';

import { shortDigest } from '../../../shared/i18n/format';

const Context = createContext('eyelevel');

/** Provides the prefix of the names of saved files, which contains study and snapshot. */
export const FilePrefix = Context.Provider;

/** The name of a saved file without extension; `name` is that of the table or figure. */
export function useFileName(name: string): string {
  return fileNameOf([useContext(Context), name]);
}

/** Joins the parts with characters that every file system accepts. A plus sign is kept, because names of stacks differ by it. */
export function fileNameOf(parts: readonly string[]): string {
  const clean = (part: string) => part.toLowerCase().replace(/[^\p{L}\p{N}+._]+/gu, '-').replace(/^-+|-+$/g, '');
  return parts.map(clean).filter((part) => part !== '').join('-');
}

/** The file name prefix: study, first 12 characters of the snapshot's digest, and `all` if simulated sessions are included; as in exports. */
export function prefixOf(study: string, snapshot: string | undefined, origin: 'person' | 'all'): string {
  return ['eyelevel', study, snapshot === undefined ? '' : shortDigest(snapshot), origin === 'all' ? 'all' : ''].filter((part) => part !== '').join('-');
}
