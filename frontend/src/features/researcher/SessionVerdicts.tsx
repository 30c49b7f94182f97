import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { answer, api } from '../../shared/api/client';
import type { SessionOut, WatchedOut } from '../../shared/api/contract.gen';
import { dateTime, percent } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Fault, Wait } from '../../shared/ui/page';
import { DataTable } from './DataTable';
import { useGroupName } from './groups';
import { verdictsKey } from './keys';
import { useOrigin } from './origin';
import { PageControls } from './PageControls';
import { useRuleWords } from './useRuleWords';

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

function Verdicts({ sessions }: { sessions: readonly SessionOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const groupName = useGroupName();
  const word = (value: boolean | null) => (value === null ? '–' : value ? t`yes` : t`no`);
  const states: Record<string, string> = { started: t`started`, completed: t`completed`, restarted: t`restarted` };
  return (
    <DataTable
      caption={t`Sessions and their verdicts`}
      head={[t`session`, t`group`, t`started`, t`state`, t`accepted`, t`used`, t`videos skipped`, t`equal answers`, t`plays`, t`reasons`]}
      numeric={[6, 7]}
      rows={sessions.map((one) => {
        const group = groupName(one.group);
        return {
          key: one.session_id,
          cells: [
            <code key="id">{one.session_id.slice(0, 8)}</code>,
            one.origin === 'simulated' ? t`${group} (simulated)` : group,
            one.started_at === null ? '–' : dateTime(one.started_at, language),
            states[one.state] ?? one.state,
            word(one.accepted),
            word(one.used),
            one.skipped,
            one.same_answer_share === null ? '–' : percent(one.same_answer_share, language),
            <SessionPlays key="plays" watched={one.watched} />,
            <Reasons key="why" session={one} />,
          ],
        };
      })}
    />
  );
}

function Reasons({ session: { findings, left_out_by } }: { session: SessionOut }) {
  const wordsOf = useRuleWords();
  const told = findings.filter(({ broken }) => broken !== 'no');
  const rules = new Set(findings.map(({ rule }) => rule));
  return (
    <ul className="reasons">
      {told.map(({ rule, broken, reason }) => (
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

/** A session's plays, and what was wrong with some of them. */
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
