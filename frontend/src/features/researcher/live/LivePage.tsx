import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { answer, api } from '../../../shared/api/client';
import { time } from '../../../shared/i18n/format';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import { Fault, PageHeading, Wait } from '../../../shared/ui/page';
import { ClipDialog } from '../clips/ClipDialog';
import { CellsSection } from '../fielding/CellsSection';
import { FieldingPanel } from '../fielding/FieldingPanel';
import { PlayFailuresSection } from '../fielding/PlayFailuresSection';
import { fieldKey, studyKey } from '../keys';
import { Groups } from '../pageContext';
import { AlertsSection } from './AlertsSection';
import { DaysSection } from './DaysSection';
import { LinkCourse } from './LinkCourse';
import { ProblemsSection } from './ProblemsSection';
import { StepsSection } from './StepsSection';

const refreshMs = 5000;

/** Progress of data collection without results by stack; refreshes automatically. */
export default function LivePage({ sha256 }: { sha256: string }) {
  const language = useLanguage();
  const [clip, setClip] = useState<string | null>(null);
  const path = { params: { path: { sha256 } } };
  const study = useQuery({ queryKey: studyKey(sha256), queryFn: () => answer(api.GET('/api/research/studies/{sha256}', path)), staleTime: 0, refetchInterval: refreshMs });
  const field = useQuery({ queryKey: fieldKey(sha256), queryFn: () => answer(api.GET('/api/research/studies/{sha256}/field', path)), staleTime: 0, refetchInterval: refreshMs });
  if (study.data === undefined) return study.isError ? <Fault error={study.error} onRetry={() => void study.refetch()} /> : <Wait />;
  if (field.data === undefined) return field.isError ? <Fault error={field.error} onRetry={() => void field.refetch()} /> : <Wait />;
  const { title, fieldings, rights, archived_at, cells, play_failures, groups } = study.data;
  const at = time(field.data.at, language);
  const mayEdit = rights.includes('edit') && archived_at === null;
  return (
    <Groups value={groups}>
      <p className="crumbs">
        <Link href="/research">
          <Trans>Studies</Trans>
        </Link>{' '}
        / <Link href={`/research/studies/${sha256}`}>{textIn(title, language)}</Link>
      </p>
      <PageHeading>
        <Trans>Live</Trans>
      </PageHeading>
      <p className="facts">
        <Trans>As of {at}. This page updates automatically, and shows no answers by stack.</Trans>
      </p>
      <AlertsSection alerts={field.data.alerts} onOpen={setClip} />
      {fieldings.map((fielding) => {
        const course = field.data.links.find(({ slug }) => slug === fielding.slug);
        return (
          <section key={fielding.slug} className="live">
            <FieldingPanel fielding={fielding} mayEdit={mayEdit} warns={false} />
            {course !== undefined && <LinkCourse course={course} />}
          </section>
        );
      })}
      <StepsSection steps={field.data.steps} />
      <DaysSection days={field.data.days} />
      <ProblemsSection problems={field.data.problems} />
      <PlayFailuresSection failures={play_failures} onOpen={setClip} />
      <CellsSection cells={cells} />
      {clip !== null && <ClipDialog key={clip} sha256={sha256} digest={clip} onClose={() => { setClip(null); }} />}
    </Groups>
  );
}
