import { createContext, useContext } from 'react';

import type { GroupRow } from '../../shared/api/contract.gen';
import { textIn, useLanguage } from '../../shared/i18n/language';

/** Whose sessions a page counts: people's, or simulated ones too. */
export type Origin = 'person' | 'all';

const OriginContext = createContext<Origin>('person');

export const OriginOfPage = OriginContext.Provider;

export const useOrigin = (): Origin => useContext(OriginContext);

/** What a link to the page asks for: `?origin=all`. */
export const originOfAddress = (): Origin => (new URLSearchParams(location.search).get('origin') === 'all' ? 'all' : 'person');

const GroupContext = createContext<readonly GroupRow[]>([]);

/** The groups of the study on the page. */
export const Groups = GroupContext.Provider;

/** What the study file calls a group, by its key; the key where it has no label. */
export function useGroupName(): (key: string) => string {
  const groups = useContext(GroupContext);
  const language = useLanguage();
  return (key) => textIn(groups.find((group) => group.key === key)?.label ?? {}, language) || key;
}
