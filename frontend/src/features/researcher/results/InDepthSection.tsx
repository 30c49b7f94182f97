import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { InDepthOut } from '../../../shared/api/contract.gen';
import { Fault, Wait } from '../../../shared/ui/page';
import { ProgressBar } from '../../../shared/ui/ProgressBar';
import { Figures } from '../figures/Figures';
import { figuresKey, inDepthKey } from '../keys';
import { FoldedTable } from '../tables/FoldedTable';
import { type OfSnapshot, useInDepth } from './useInDepth';

interface Props extends OfSnapshot {
  mayEdit: boolean;
}

/** Tables in depth, which need model fits and resampling. The server computes them when the study is closed. */
export function InDepthSection({ sha256, collecting, mayEdit, snapshot }: Props) {
  const { data, error, refetch } = useInDepth({ sha256, collecting, snapshot });
  useFiguresOf(sha256, data?.status);
  return (
    <section>
      <h2>
        <Trans>In depth</Trans>
      </h2>
      {collecting ? (
        <p className="facts">
          <Trans>Further tables are computed when every link of the study is closed.</Trans>
        </p>
      ) : data !== undefined ? (
        <Content data={data} again={mayEdit ? <ComputeAgain sha256={sha256} /> : null} />
      ) : error === null ? (
        <Wait />
      ) : (
        <Fault error={error} onRetry={() => void refetch()} />
      )}
    </section>
  );
}

/** Says, next to the button that exports, that an export does not contain the tables in depth yet. */
export function TablesPendingNote(of: OfSnapshot) {
  const { data } = useInDepth(of);
  if (data === undefined || data.status === 'done' || data.status === 'failed') return null;
  return (
    <p className="facts">
      <Trans>
        The tables in depth (folder <code>statistics</code>) are not in the export yet. They are ready a few minutes after the study was closed; then export again.
      </Trans>
    </p>
  );
}

/** Reloads the figures when the tables in depth are done. */
function useFiguresOf(sha256: string, status: InDepthOut['status'] | undefined): void {
  const cache = useQueryClient();
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== undefined && before.current !== status && status === 'done') void cache.invalidateQueries({ queryKey: figuresKey(sha256, 'results') });
    before.current = status;
  }, [cache, sha256, status]);
}

function Content({ data, again }: { data: InDepthOut; again: ReactNode }) {
  switch (data.status) {
    case 'none':
    case 'queued':
    case 'running':
      return <UnderWay data={data} />;
    case 'failed':
      return (
        <>
          <p className="field-error" role="alert">
            <Trans>The tables in depth could not be computed. Message from the server:</Trans> <span lang="en">{data.error}</span>
          </p>
          {again}
        </>
      );
    case 'done':
      return <Tables data={data} />;
  }
}

function ComputeAgain({ sha256 }: { sha256: string }) {
  const cache = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => answer(api.POST('/api/research/studies/{sha256}/results/in-depth', { params: { path: { sha256 } } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: inDepthKey(sha256) }),
  });
  return (
    <>
      <button type="button" className="button button--quiet button--small" disabled={isPending} onClick={() => { mutate(); }}>
        <Trans>Compute the tables again</Trans>
      </button>
      {error !== null && <Fault error={error} onRetry={() => { mutate(); }} />}
    </>
  );
}

function UnderWay({ data: { part, parts_done, parts } }: { data: InDepthOut }) {
  const { t } = useLingui();
  const names: Record<string, string> = {
    distributions: t`distributions of scores`,
    'agreement of participants': t`agreement of participants`,
    groups: t`groups and contexts`,
    'order and sides': t`effects of order and side`,
    'metrics against people': t`metrics against people`,
    comparisons: t`comparisons`,
    '2019 as it was': t`the analysis of 2019`,
    'ordinal models': t`ordinal models`,
    multiverse: t`combinations of rules`,
  };
  const name = names[part] ?? part;
  const number = parts_done + 1;
  const text = part === '' ? t`waiting for the server` : t`${name} (part ${number} of ${parts})`;
  return (
    <>
      <p className="facts">
        <Trans>The tables in depth are being computed, which takes a few minutes. You can leave this page.</Trans>
      </p>
      <ProgressBar label={t`Tables in depth: ${text}`} share={parts === 0 ? 0 : parts_done / parts} text={text} />
    </>
  );
}

type Part = 'answers' | 'trust' | 'metrics' | 'comparisons';

const parts: readonly Part[] = ['answers', 'trust', 'metrics', 'comparisons'];
/** The part of an analysis; analyses not listed belong to `answers`. */
const partOf: Partial<Record<string, Part>> = { checks: 'trust', metrics: 'metrics', comparisons: 'comparisons' };

function Tables({ data }: { data: InDepthOut }) {
  const { t } = useLingui();
  const titles: Record<Part, string> = {
    answers: t`What people answered`,
    trust: t`Reliability`,
    metrics: t`Metrics against people`,
    comparisons: t`Comparisons`,
  };
  if (data.tables.length === 0) {
    return (
      <p className="facts">
        <Trans>There are too few votes for tables in depth.</Trans>
      </p>
    );
  }
  return (
    <>
      {parts.map((part) => {
        const tables = data.tables.filter(({ analysis }) => (partOf[analysis] ?? 'answers') === part);
        return (
          tables.length > 0 && (
            <section key={part} aria-label={titles[part]}>
              <h3>{titles[part]}</h3>
              {part === 'answers' && <Figures of="groups" />}
              {part === 'trust' && <Figures of="multiverse" />}
              {tables.map((table) => (
                <FoldedTable key={table.name} table={table} />
              ))}
            </section>
          )
        );
      })}
    </>
  );
}
