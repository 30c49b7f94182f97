import { Trans, useLingui } from '@lingui/react/macro';

import type { Departure } from '../../../shared/api/contract.gen';
import { date, dateTime } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';

export function Departures({ departures }: { departures: readonly Departure[] }) {
  return (
    <ul>
      {departures.map((departure, place) => (
        // several looks can have the same time
        <li key={place}>
          <Words departure={departure} />
        </li>
      ))}
    </ul>
  );
}

function Words({ departure }: { departure: Departure }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { subject, sessions, at = null, before: from = null, after: to = null } = departure;
  const analyses: Record<string, string> = {
    mos: t`mean ratings (MOS) of stacks`,
    comparisons: t`preferences between stacks shown side by side`,
    metrics: t`agreement of metrics with mean ratings`,
    checks: t`quality checks of the votes`,
    groups: t`differences between groups or contexts`,
    recalled: t`methods of the 2019 user study, applied to these votes`,
  };
  const [day, time] = at === null ? ['–', '–'] : [date(at, language), dateTime(at, language)];
  switch (departure.kind) {
    case 'rule':
    case 'plan':
    case 'design': {
      const [before, after] = [truncated(from) ?? t`not stated`, truncated(to) ?? t`not stated`];
      return (
        <Trans>
          <code>{subject}</code> was changed from <code>{before}</code> to <code>{after}</code> on {day}, after votes on an earlier version.
        </Trans>
      );
    }
    case 'hypothesis_added':
      return (
        <Trans>
          Hypothesis {subject} was added on {day}, after votes on an earlier version.
        </Trans>
      );
    case 'hypothesis_removed':
      return (
        <Trans>
          Hypothesis {subject} was removed on {day}, after votes on an earlier version.
        </Trans>
      );
    case 'look':
      return (
        <Trans>
          Results by stack were opened on {time} with {sessions} used sessions; the plan does not name this look.
        </Trans>
      );
    case 'sample_size':
      return (
        <Trans>
          The study was closed with {sessions} used sessions; its quotas plan {from}.
        </Trans>
      );
    case 'analysis': {
      const name = analyses[subject] ?? subject;
      return <Trans>Not in the plan, because no hypothesis is about it: {name}.</Trans>;
    }
    case 'simulated':
      return <Trans>Votes of simulated sessions are in every figure of this page.</Trans>;
  }
}

const longest = 80;

function truncated(value: string | null): string | null {
  return value === null || value.length <= longest ? value : `${value.slice(0, longest)} …`;
}
