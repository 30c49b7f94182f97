import { useQuery } from '@tanstack/react-query';

import { answer, api } from '../../../shared/api/client';
import { useLanguage } from '../../../shared/i18n/language';
import { inDepthKey } from '../keys';
import { useOrigin } from '../pageContext';

const pollMs = 2000;

export interface OfSnapshot {
  sha256: string;
  /** At least one link of the study is not closed. */
  collecting: boolean;
  /** Digest of the snapshot of the results on the page. */
  snapshot: string;
}

/** Reads the tables in depth of a closed study, again and again until they are computed. */
export function useInDepth({ sha256, collecting, snapshot }: OfSnapshot) {
  const origin = useOrigin();
  const language = useLanguage();
  return useQuery({
    queryKey: [...inDepthKey(sha256), origin, snapshot, language],
    queryFn: () => answer(api.GET('/api/research/studies/{sha256}/results/in-depth', { params: { path: { sha256 }, query: { origin, lang: language } } })),
    enabled: !collecting,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'done' || state.data?.status === 'failed' ? false : pollMs),
  });
}
