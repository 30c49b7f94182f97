import { Trans } from '@lingui/react/macro';

import type { ResultsOut } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Digest } from '../../shared/ui/text';

/** Which votes the figures are made of, and whether newer ones are on their way in. */
export function SnapshotLine({ status, snapshot }: { status: ResultsOut['status']; snapshot: NonNullable<ResultsOut['snapshot']> }) {
  const language = useLanguage();
  const time = dateTime(snapshot.created_at, language);
  const { votes, sessions } = snapshot;
  return (
    <p className="snapshot" role="status">
      <Trans>
        Snapshot <Digest sha256={snapshot.sha256} /> of {time}: {votes} votes of {sessions} sessions.
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
