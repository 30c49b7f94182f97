import { createContext, useContext } from 'react';

/** Whose sessions a page counts: people's, or simulated ones too. */
export type Origin = 'person' | 'all';

const Context = createContext<Origin>('person');

export const OriginOfPage = Context.Provider;

export const useOrigin = (): Origin => useContext(Context);

/** What a link to the page asks for: `?origin=all`. */
export const originOfAddress = (): Origin => (new URLSearchParams(location.search).get('origin') === 'all' ? 'all' : 'person');
