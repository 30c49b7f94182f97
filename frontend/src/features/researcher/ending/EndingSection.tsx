import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { StudyRow } from '../../../shared/api/contract.gen';
import { dateTime } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { allResultsKey, studiesKey } from '../keys';
import { ArchiveDialog } from './ArchiveDialog';
import { DeleteStudyDialog } from './DeleteStudyDialog';

/** Buttons to archive and delete a study, for its owner and admins. */
export function EndingSection({ study }: { study: StudyRow }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const language = useLanguage();
  const [asking, setAsking] = useState<'archive' | 'delete' | null>(null);
  const archive = useMutation({
    mutationFn: (archived: boolean) => answer(api.POST('/api/research/studies/{sha256}/archive', { params: { path: { sha256: study.sha256 } }, body: { archived } })),
    onSuccess: () => {
      setAsking(null);
      return Promise.all([studiesKey, allResultsKey].map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
  if (!study.rights.includes('share')) return null;
  const archived = study.archived_at === null ? null : dateTime(study.archived_at, language);
  const closed = study.fieldings.every(({ state }) => state === 'closed');
  return (
    <section aria-label={t`Archive and delete`}>
      <h2>
        <Trans>Archive and delete</Trans>
      </h2>
      <p className="facts">
        {archived !== null ? (
          <Trans>Archived {archived}. The study is read-only: its results, exports and clips stay available. After restoring it, you can publish its file again; its links stay closed.</Trans>
        ) : closed ? (
          <Trans>An archived study is read-only: its results, exports and clips stay available. You can restore it.</Trans>
        ) : (
          <Trans>Archiving closes all links of the study permanently. An archived study is read-only. A study can be deleted once all of its links are closed.</Trans>
        )}
      </p>
      <div className="actions">
        {archived === null ? (
          <button type="button" className="button button--quiet button--small" onClick={() => { setAsking('archive'); }}>
            <Trans>Archive …</Trans>
          </button>
        ) : (
          <button type="button" className="button button--quiet button--small" disabled={archive.isPending} onClick={() => { archive.mutate(false); }}>
            <Trans>Restore from the archive</Trans>
          </button>
        )}
        {closed && (
          <button type="button" className="button button--quiet button--small" onClick={() => { setAsking('delete'); }}>
            <Trans>Delete the study …</Trans>
          </button>
        )}
      </div>
      {asking === null && archive.error !== null && (
        <p role="alert" className="field-error">
          {archive.error.message}
        </p>
      )}
      {asking === 'archive' && <ArchiveDialog closesLinks={!closed} busy={archive.isPending} error={archive.error} onArchive={() => { archive.mutate(true); }} onCancel={() => { setAsking(null); }} />}
      {asking === 'delete' && <DeleteStudyDialog study={study} onCancel={() => { setAsking(null); }} />}
    </section>
  );
}
