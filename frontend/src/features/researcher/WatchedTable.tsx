import { Trans, useLingui } from '@lingui/react/macro';

import type { GroupWatchedOut } from '../../shared/api/contract.gen';
import { DataTable } from './DataTable';
import { useGroupName } from './groups';

/** How many plays of each group were not as they should be; nothing before the first one. */
export function WatchedTable({ watched }: { watched: readonly GroupWatchedOut[] }) {
  const { t } = useLingui();
  const groupName = useGroupName();
  if (watched.every(({ played }) => played === 0)) return null;
  return (
    <>
      <h3>
        <Trans>How the videos played</Trans>
      </h3>
      <p className="facts">
        <Trans>Plays, as the participants' browsers tell of them. A play may be in several columns. All of it is in the export, play by play.</Trans>
      </p>
      <DataTable
        caption={t`Plays of each group that were not as they should be`}
        head={[t`group`, t`plays`, t`off true speed`, t`with a stall`, t`with dropped frames`, t`speed not known`]}
        numeric={[1, 2, 3, 4, 5]}
        rows={watched.map((one) => ({ key: one.group, cells: [groupName(one.group), one.played, one.off_speed, one.stalled, one.dropped, one.unknown] }))}
      />
    </>
  );
}
