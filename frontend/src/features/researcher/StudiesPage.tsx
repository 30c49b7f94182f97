import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { answer, api } from '../../shared/api/client';
import type { StudyRow } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { textIn, useLanguage } from '../../shared/i18n/language';
import { Fault, PageHeading, Wait } from '../../shared/ui/page';
import { Digest } from '../../shared/ui/text';
import { ArchivedBadge } from './ending/ArchivedBadge';
import { FieldingPanel } from './fielding/FieldingPanel';
import { studiesKey } from './keys';
import { Groups } from './pageContext';

export default function StudiesPage() {
  const studies = useQuery({ queryKey: studiesKey, queryFn: () => answer(api.GET('/api/research/studies')), staleTime: 0, refetchInterval: 5000 });
  const current = studies.data?.filter(({ archived_at: since }) => since === null) ?? [];
  const archived = studies.data?.filter(({ archived_at: since }) => since !== null) ?? [];
  return (
    <>
      <PageHeading>
        <Trans>Studies</Trans>
      </PageHeading>
      {studies.isPending && <Wait />}
      {studies.isError && studies.data === undefined && <Fault error={studies.error} onRetry={() => void studies.refetch()} />}
      {studies.data?.length === 0 && (
        <p className="empty">
          <Trans>
            No study has been published yet. Write a study file and publish it with <code>eyelevel study publish STUDY.yaml</code>.
          </Trans>
        </p>
      )}
      <Entries studies={current} />
      {archived.length > 0 && (
        <details>
          <summary>
            <Plural value={archived.length} one="# archived study" other="# archived studies" />
          </summary>
          <Entries studies={archived} />
        </details>
      )}
    </>
  );
}

function Entries({ studies }: { studies: StudyRow[] }) {
  return (
    <ul className="entries">
      {studies.map((study) => (
        <StudyEntry key={study.sha256} study={study} />
      ))}
    </ul>
  );
}

function StudyEntry({ study }: { study: StudyRow }) {
  const language = useLanguage();
  const published = dateTime(study.published_at, language);
  return (
    <li className="entry">
      <h2 className="entry__title">
        <Link href={`/research/studies/${study.sha256}`}>{textIn(study.title, language)}</Link>
      </h2>
      <p className="facts">
        {study.archived_at !== null && <ArchivedBadge />} {study.name} <Digest sha256={study.sha256} /> · <Trans>published {published}</Trans> · <Plural value={study.votes} one="# vote received from people" other="# votes received from people" />
      </p>
      <Groups value={study.groups}>
        {study.fieldings.map((fielding) => (
          <FieldingPanel key={fielding.slug} fielding={fielding} mayEdit={study.rights.includes('edit') && study.archived_at === null} />
        ))}
      </Groups>
    </li>
  );
}
