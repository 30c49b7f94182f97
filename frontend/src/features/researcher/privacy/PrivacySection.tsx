import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { answer, api } from '../../../shared/api/client';
import type { ExportRow } from '../../../shared/api/contract.gen';
import { dateTime } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { Digest } from '../../../shared/ui/text';
import { exportsKey, privacyKey } from '../keys';
import { DataTable } from '../tables/DataTable';
import { RecruiterIds } from './RecruiterIds';

const calmMs = 8000;

/** Withdrawals, exports that contain withdrawn answers, and recruiters' ids. */
export function PrivacySection({ sha256, name, mayEdit }: { sha256: string; name: string; mayEdit: boolean }) {
  const { t } = useLingui();
  const language = useLanguage();
  const exports = useQuery({ queryKey: exportsKey(sha256), queryFn: () => answer(api.GET('/api/research/studies/{sha256}/exports', { params: { path: { sha256 } } })), staleTime: 0, refetchInterval: calmMs });
  const privacy = useQuery({ queryKey: privacyKey(sha256), queryFn: () => answer(api.GET('/api/research/studies/{sha256}/privacy', { params: { path: { sha256 } } })), staleTime: 0, refetchInterval: calmMs });
  if (exports.data === undefined || privacy.data === undefined) return null;
  const withdrawn = privacy.data.erasures.length;
  return (
    <section aria-label={t`Privacy`}>
      <h2>
        <Trans>Privacy</Trans>
      </h2>
      <p className="facts">
        <Plural value={withdrawn} _0="No participant has withdrawn." one="# participant has withdrawn; all their data is erased." other="# participants have withdrawn; all their data is erased." />
      </p>
      {exports.data.filter((row) => row.withdrawn > 0).map((row) => (
        <Warning key={row.id} row={row} />
      ))}
      <RecruiterIds sha256={sha256} name={name} privacy={privacy.data} mayEdit={mayEdit} />
      {exports.data.length > 0 && (
        <DataTable
          caption={t`Exports`}
          head={[t`exported`, t`by`, t`snapshot`, t`votes`, t`withdrawn since`]}
          numeric={[3, 4]}
          rows={exports.data.map((row) => ({
            key: row.id,
            cells: [dateTime(row.exported_at, language), row.exported_by ?? '–', <Digest key="digest" sha256={row.snapshot_sha256} />, row.votes, row.withdrawn],
          }))}
        />
      )}
    </section>
  );
}

function Warning({ row }: { row: ExportRow }) {
  const language = useLanguage();
  const date = dateTime(row.exported_at, language);
  return (
    <p className="warning" role="alert">
      <Trans>The export of {date} contains answers that have been withdrawn since: please delete it, and export again.</Trans>
    </p>
  );
}
