import { Trans, useLingui } from '@lingui/react/macro';

import type { GroupWatchedOut } from '../../../shared/api/contract.gen';
import { useGroupName } from '../pageContext';
import { DataTable } from '../tables/DataTable';

/** Plays with defects, by group; nothing before the first play. */
export function WatchedTable({ watched }: { watched: readonly GroupWatchedOut[] }) {
  const { t } = useLingui();
  const groupName = useGroupName();
  if (watched.every(({ played }) => played === 0)) return null;
  return (
    <>
      <h3>
        <Trans>Playback quality</Trans>
      </h3>
      <p className="facts">
        <Trans>Plays as reported by the participants' browsers. A play may be counted in several columns. The export has all values for each play.</Trans>
      </p>
      <DataTable
        caption={t`Plays with defects, by group`}
        head={[t`group`, t`plays`, t`not at normal speed`, t`with a stall of any length`, t`with dropped frames`, t`speed unknown`]}
        numeric={[1, 2, 3, 4, 5]}
        rows={watched.map((one) => ({ key: one.group, cells: [groupName(one.group), one.played, one.off_speed, one.stalled, one.dropped, one.unknown] }))}
      />
    </>
  );
}
