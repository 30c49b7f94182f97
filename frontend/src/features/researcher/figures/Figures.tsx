import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { FigureOut, ResultsOut } from '../../../shared/api/contract.gen';
import { useLanguage } from '../../../shared/i18n/language';
import { Fault } from '../../../shared/ui/page';
import { figuresKey } from '../keys';
import { useOrigin } from '../origin';
import { Figure } from './Figure';

interface Found {
  figures: readonly FigureOut[];
  /** Figures of another layout, language or snapshot are shown until these arrive. */
  busy: boolean;
}

const Context = createContext<Found>({ figures: [], busy: false });
/** Below this width of the window, figures of 720 px do not fit. */
const narrowQuery = '(max-width: 800px)';

/** Loads the figures of a study for the sections of its page. */
export function FiguresOfStudy({ sha256, results, children }: { sha256: string; results: ResultsOut | undefined; children: ReactNode }) {
  const lang = useLanguage();
  const origin = useOrigin();
  const layout = useIsNarrow() ? 'narrow' : 'wide';
  const { data, isPlaceholderData, error, refetch } = useQuery({
    queryKey: [...figuresKey(sha256), origin, lang, layout, results?.snapshot?.sha256, results?.blinded, results?.collecting],
    queryFn: () => answer(api.GET('/api/research/studies/{sha256}/results/figures', { params: { path: { sha256 }, query: { origin, lang, layout } } })),
    enabled: results !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return (
    <Context value={{ figures: data ?? [], busy: isPlaceholderData }}>
      {error !== null && data === undefined && <Fault error={error} onRetry={() => void refetch()} />}
      {children}
    </Context>
  );
}

/** The figures of this name, such as `satisfaction`, and those whose names begin with it, such as `mos-dsl`. */
export function Figures({ of }: { of: string }) {
  const { figures, busy } = useContext(Context);
  const own = figures.filter(({ name }) => name === of || name.startsWith(`${of}-`));
  if (own.length === 0) return null;
  return (
    <div aria-busy={busy}>
      {own.map((figure) => (
        <Figure key={figure.name} figure={figure} />
      ))}
    </div>
  );
}

/** Whether there is a figure of this name. */
export function useHasFigure(name: string): boolean {
  return useContext(Context).figures.some((figure) => figure.name === name);
}

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(narrowQuery);
      query.addEventListener('change', changed);
      return () => { query.removeEventListener('change', changed); };
    },
    () => matchMedia(narrowQuery).matches,
  );
}
