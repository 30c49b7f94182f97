import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { FigureOut, GroupOut, ResultsOut } from '../../../shared/api/contract.gen';
import { useLanguage } from '../../../shared/i18n/language';
import { Fault } from '../../../shared/ui/page';
import { figuresKey } from '../keys';
import { useOrigin } from '../pageContext';
import { Figure } from './Figure';

interface LoadedFigures {
  figures: readonly FigureOut[];
  /** Figures of the previous layout, language or snapshot are shown until these are loaded. */
  busy: boolean;
}

const Context = createContext<LoadedFigures>({ figures: [], busy: false });
/** Below this width of the window, figures of 720 px do not fit. */
const narrowQuery = '(max-width: 800px)';

/** Loads the figures of a study's results for the sections of its page. */
export function FiguresOfStudy({ sha256, results, children }: { sha256: string; results: ResultsOut | undefined; children: ReactNode }) {
  const { data, isPlaceholderData, error, refetch } = useFigures(sha256, 'results', [results?.snapshot?.sha256, results?.blinded, results?.collecting], results !== undefined);
  return (
    <Context value={{ figures: data ?? [], busy: isPlaceholderData }}>
      {error !== null && data === undefined && <Fault error={error} onRetry={() => void refetch()} />}
      {children}
    </Context>
  );
}

/** The figure with this name, such as `satisfaction`, and figures whose names start with it, such as `mos-dsl`. */
export function Figures({ of }: { of: string }) {
  const { figures, busy } = useContext(Context);
  return <FigureList figures={figures.filter(({ name }) => name === of || name.startsWith(`${of}-`))} busy={busy} />;
}

function FigureList({ figures, busy }: LoadedFigures) {
  if (figures.length === 0) return null;
  return (
    <div aria-busy={busy}>
      {figures.map((figure) => (
        <Figure key={figure.name} figure={figure} />
      ))}
    </div>
  );
}

/** Returns those of the names for which there is a figure. */
export function useFigureNames(names: readonly string[]): readonly string[] {
  const { figures } = useContext(Context);
  return names.filter((name) => figures.some((figure) => figure.name === name));
}

/** Figures of the sessions that remain after each rule, reloaded when the counts change. */
export function ScreeningFigures({ sha256, groups }: { sha256: string; groups: readonly GroupOut[] }) {
  const { data, isPlaceholderData, error, refetch } = useFigures(sha256, 'screening', groups, true);
  if (data === undefined) return error === null ? null : <Fault error={error} onRetry={() => void refetch()} />;
  return <FigureList figures={data} busy={isPlaceholderData} />;
}

/** Query for the figures of a part of the page, in the language and for the width of the page; `of` identifies their data. */
function useFigures(sha256: string, part: 'results' | 'screening', of: readonly unknown[], enabled: boolean) {
  const lang = useLanguage();
  const origin = useOrigin();
  const layout = useIsNarrow() ? 'narrow' : 'wide';
  return useQuery({
    queryKey: [...figuresKey(sha256, part), origin, lang, layout, of],
    queryFn: () => answer(api.GET('/api/research/studies/{sha256}/results/figures', { params: { path: { sha256 }, query: { origin, lang, layout, part } } })),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
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
