import { createContext, useContext } from 'react';

import type { GroupRow } from '../../shared/api/contract.gen';
import { textIn, useLanguage } from '../../shared/i18n/language';

const Context = createContext<readonly GroupRow[]>([]);

/** The groups of the study that a page, or a part of it, tells of. */
export const Groups = Context.Provider;

/** What the study file calls a group, by its key; the key where it has no label. */
export function useGroupName(): (key: string) => string {
  const groups = useContext(Context);
  const language = useLanguage();
  return (key) => textIn(groups.find((group) => group.key === key)?.label ?? {}, language) || key;
}
