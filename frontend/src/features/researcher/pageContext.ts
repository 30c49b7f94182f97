import { createContext, useContext } from 'react';

import type { GroupRow } from '../../shared/api/contract.gen';
import { textIn, useLanguage } from '../../shared/i18n/language';

/** The sessions that a page counts: those of people, or also simulated ones. */
export type Origin = 'person' | 'all';

const OriginContext = createContext<Origin>('person');

export const OriginOfPage = OriginContext.Provider;

export const useOrigin = (): Origin => useContext(OriginContext);

/** The origin in the page's address: `?origin=all`, otherwise `person`. */
export const originOfAddress = (): Origin => (new URLSearchParams(location.search).get('origin') === 'all' ? 'all' : 'person');

const GroupContext = createContext<readonly GroupRow[]>([]);

/** The groups of the study on the page. */
export const Groups = GroupContext.Provider;

/** Returns a function that gives the label of a group by its key, or the key if it has no label. */
export function useGroupName(): (key: string) => string {
  const groups = useContext(GroupContext);
  const language = useLanguage();
  return (key) => textIn(groups.find((group) => group.key === key)?.label ?? {}, language) || key;
}
