import { useLingui } from '@lingui/react/macro';

import type { LookOut } from '../../../shared/api/contract.gen';
import { dateTime } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { DataTable } from '../tables/DataTable';

/** Who opened results by stack while votes came in, and how many votes there were by then. */
export function LooksTable({ looks }: { looks: readonly LookOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const means: Record<LookOut['by'], string> = { page: t`page`, program: t`program`, export: t`export` };
  return (
    <DataTable
      caption={t`Looks at results by stack`}
      head={[t`time`, t`who`, t`by`, t`used sessions`, t`votes`, t`planned look`]}
      numeric={[3, 4]}
      rows={looks.map((look, place) => ({
        key: String(place),
        cells: [dateTime(look.at, language), look.actor ?? '–', means[look.by], look.sessions, look.votes, look.planned ?? t`none`],
      }))}
    />
  );
}
