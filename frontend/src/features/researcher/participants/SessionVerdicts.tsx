import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { SessionOut, WatchedOut } from '../../../shared/api/contract.gen';
import { dateTime, decimal, percent } from '../../../shared/i18n/format';
import { type Language, useLanguage } from '../../../shared/i18n/language';
import { Fault, Wait } from '../../../shared/ui/page';
import { verdictsKey } from '../keys';
import { useGroupName, useOrigin } from '../pageContext';
import { DataTable } from '../tables/DataTable';
import { PageControls } from './PageControls';
import { useExclusionWords } from './useExclusionWords';

/** The screening result of each session, loaded when the section is opened. */
export function SessionVerdicts({ sha256 }: { sha256: string }) {
  const [open, setOpen] = useState(false);
  const [page, setPage] = useState(1);
  const origin = useOrigin();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...verdictsKey(sha256), origin, page],
    queryFn: () => answer(api.GET('/api/research/studies/{sha256}/conformance/sessions', { params: { path: { sha256 }, query: { page, origin } } })),
    enabled: open,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  return (
    <details className="fold" onToggle={(event) => { setOpen(event.currentTarget.open); }}>
      <summary>
        <Trans>Screening of each session</Trans>
      </summary>
      {data !== undefined && (
        <>
          <Verdicts sessions={data.sessions} />
          <PageControls page={data.page} pages={data.pages} total={data.total} busy={isPlaceholderData} onPage={setPage} />
        </>
      )}
      {data === undefined && open && (error === null ? <Wait /> : <Fault error={error} onRetry={() => void refetch()} />)}
    </details>
  );
}

type Shown = 'all' | 'used' | 'unused' | 'unscreened';

const isShown: Record<Shown, (session: SessionOut) => boolean> = {
  all: () => true,
  used: ({ used }) => used === true,
  unused: ({ used }) => used === false,
  unscreened: ({ used }) => used === null,
};

function Verdicts({ sessions }: { sessions: readonly SessionOut[] }) {
  const { t } = useLingui();
  const [shown, setShown] = useState<Shown>('all');
  const filtered = sessions.filter(isShown[shown]);
  const choices: Record<Shown, string> = { all: t`all sessions`, used: t`used sessions`, unused: t`sessions not used`, unscreened: t`sessions not screened yet` };
  const [count, total] = [filtered.length, sessions.length];
  return (
    <>
      <p className="filter">
        <label>
          <Trans>Show:</Trans>{' '}
          <select value={shown} onChange={(event) => { setShown(event.currentTarget.value as Shown); }}>
            {Object.entries(choices).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <span className="facts" role="status">
          <Trans>
            {count} of {total} on this page of the list
          </Trans>
        </span>
      </p>
      <VerdictTable sessions={filtered} />
    </>
  );
}

/** The duration of a session by the server's clock, in seconds below two minutes, otherwise in minutes. */
function durationOf({ started_at, completed_at }: SessionOut, language: Language): string {
  if (started_at === null || completed_at === null) return '–';
  const s = (Date.parse(completed_at) - Date.parse(started_at)) / 1000;
  return s < 120 ? `${decimal(s, 1, language)} s` : `${decimal(s / 60, 1, language)} min`;
}

/** Rounds the seconds in a sentence to tenths, because the browsers' clocks are not more precise. */
export function inTenths(sentence: string): string {
  return sentence.replaceAll(/\d+\.\d{2,}(?= s\b)/g, (value) => Number(value).toFixed(1));
}

function VerdictTable({ sessions }: { sessions: readonly SessionOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const groupName = useGroupName();
  const word = (value: boolean | null) => (value === null ? '–' : value ? t`yes` : t`no`);
  const origins: Record<string, string> = { person: t`person`, simulated: t`simulated` };
  const states: Record<string, string> = { started: t`started`, completed: t`completed`, restarted: t`restarted` };
  return (
    <DataTable
      caption={t`Sessions and their verdicts`}
      size="wide"
      head={[t`session`, t`group`, t`origin`, t`started`, t`duration`, t`state`, t`accepted`, t`used`, t`videos skipped`, t`same answer`, t`plays`, t`reasons`]}
      numeric={[4, 8, 9]}
      rows={sessions.map((session) => ({
        key: session.session_id,
        cells: [
          <code key="id">{session.session_id.slice(0, 8)}</code>,
          groupName(session.group),
          origins[session.origin] ?? session.origin,
          session.started_at === null ? '–' : dateTime(session.started_at, language),
          durationOf(session, language),
          states[session.state] ?? session.state,
          word(session.accepted),
          word(session.used),
          session.skipped,
          percent(session.same_answer_share, language),
          <SessionPlays key="plays" watched={session.watched} />,
          <Reasons key="why" session={session} />,
        ],
      }))}
    />
  );
}

function Reasons({ session: { findings, left_out_by } }: { session: SessionOut }) {
  const wordsOf = useExclusionWords();
  const unkept = findings.filter(({ broken }) => broken !== 'no').map((finding) => ({ ...finding, reason: inTenths(finding.reason) }));
  const rules = new Set(findings.map(({ rule }) => rule));
  return (
    <ul className="reasons reasons--why">
      {unkept.map(({ rule, broken, reason }) => (
        <li key={rule}>
          <strong>{rule}</strong> {broken === 'unknown' ? <Trans>unknown: {reason}</Trans> : reason}
        </li>
      ))}
      {left_out_by
        .filter((rule) => !rules.has(rule))
        .map((rule) => (
          <li key={rule}>{wordsOf(rule)}</li>
        ))}
    </ul>
  );
}

/** The number of plays of a session, and of plays with faults. */
export function SessionPlays({ watched: { played, off_speed, stalled, dropped, unknown } }: { watched: WatchedOut }) {
  const { t } = useLingui();
  const faults = [
    { count: off_speed, words: t`not at normal speed` },
    { count: stalled, words: t`with a stall` },
    { count: dropped, words: t`with dropped frames` },
    { count: unknown, words: t`speed unknown` },
  ];
  return (
    <>
      {played}
      <ul className="reasons">
        {faults
          .filter(({ count }) => count > 0)
          .map(({ count, words }) => (
            <li key={words}>
              {count} {words}
            </li>
          ))}
      </ul>
    </>
  );
}
