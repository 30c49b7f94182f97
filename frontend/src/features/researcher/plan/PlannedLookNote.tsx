import { Plural, Trans } from '@lingui/react/macro';

import type { ResultsOut } from '../../../shared/api/contract.gen';
import { figure } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';

/** Names the planned look that the answers belong to and the next one, during data collection. */
export function PlannedLookNote({ results: { collecting, look, planned_looks, sessions_used } }: { results: ResultsOut }) {
  const language = useLanguage();
  if (!collecting || planned_looks.length === 0) return null;
  const shown = planned_looks.find(({ number }) => number === look);
  const next = planned_looks.find(({ level }) => level === null);
  const [number, sessions, coming] = [shown?.number, shown?.sessions, next?.sessions];
  const level = figure(Number((shown?.level ?? 0).toPrecision(2)), language);
  return (
    <p className="facts">
      {shown !== undefined && (
        <>
          <Trans>These answers belong to look {number} of the plan: the first {sessions} used sessions, at a level of {level}.</Trans>{' '}
        </>
      )}
      {next === undefined ? (
        <Trans>The next answers are available when every link is closed.</Trans>
      ) : (
        <Trans>
          The next look is planned at {coming} used sessions; <Plural value={sessions_used} one="# is used" other="# are used" /> now.
        </Trans>
      )}
    </p>
  );
}
