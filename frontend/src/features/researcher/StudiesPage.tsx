import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { answer, api } from '../../shared/api/client';
import { Fault, PageHeading, Wait } from '../../shared/ui/page';
import { studiesKey } from './keys';
import { StudyEntry } from './StudyEntry';

export default function StudiesPage() {
  const studies = useQuery({ queryKey: studiesKey, queryFn: () => answer(api.GET('/api/research/studies')), staleTime: 0, refetchInterval: 5000 });
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
      <ul className="entries">
        {studies.data?.map((study) => (
          <StudyEntry key={study.sha256} study={study} />
        ))}
      </ul>
    </>
  );
}
