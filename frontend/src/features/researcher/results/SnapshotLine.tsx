import { Trans } from '@lingui/react/macro';

import type { ResultsOut } from '../../../shared/api/contract.gen';
import { dateTime } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { Digest } from '../../../shared/ui/text';

/** The snapshot behind the results, and whether newer votes are pending. */
export function SnapshotLine({ results, snapshot }: { results: ResultsOut; snapshot: NonNullable<ResultsOut['snapshot']> }) {
  const language = useLanguage();
  const time = dateTime(snapshot.created_at, language);
  const { votes, sessions } = snapshot;
  const { status, votes_used: used, sessions_used: from } = results;
  return (
    <p className="snapshot" role="status">
      <Trans>
        Snapshot <Digest sha256={snapshot.sha256} /> of {time}: {votes} votes from {sessions} sessions. The figures use {used} votes from {from} sessions; “Sessions and votes by outcome” lists the others.
      </Trans>{' '}
      {status === 'stale' && (
        <strong>
          <Trans>Newer votes have arrived; the results will be recomputed shortly.</Trans>
        </strong>
      )}
      {status === 'running' && (
        <strong>
          <Trans>The results are being recomputed …</Trans>
        </strong>
      )}
    </p>
  );
}
