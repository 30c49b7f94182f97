import { Trans, useLingui } from '@lingui/react/macro';

import type { DayOut } from '../../../shared/api/contract.gen';
import { day as dayOf } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { useGroupName } from '../pageContext';
import { DataTable } from '../tables/DataTable';

/** Table of sessions and votes by day and group. */
export function DaysSection({ days }: { days: readonly DayOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const groupName = useGroupName();
  if (days.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>By day</Trans>
      </h2>
      <DataTable
        caption={t`Sessions and votes by day`}
        head={[t`day (UTC)`, t`group`, t`arrived`, t`finished`, t`counted`, t`votes`]}
        numeric={[2, 3, 4, 5]}
        rows={days.map(({ day, group, started, finished, counted, votes }) => ({
          key: `${day}/${group}`,
          cells: [dayOf(day, language), groupName(group), started, finished, counted, votes],
        }))}
      />
    </section>
  );
}
