import { Trans } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { answer, api } from '../../shared/api/client';
import { dateTime } from '../../shared/i18n/format';
import { textIn, useLanguage } from '../../shared/i18n/language';
import { Fault, PageHeading, Wait } from '../../shared/ui/page';
import { Digest } from '../../shared/ui/text';
import { Summary } from './answers/Summary';
import { ClipDialog } from './clips/ClipDialog';
import { ClipsSection } from './clips/ClipsSection';
import { ConditionDialog } from './clips/ConditionDialog';
import { type Opened, useMarkClicks } from './clips/opened';
import { ArchivedBadge } from './ending/ArchivedBadge';
import { EndingSection } from './ending/EndingSection';
import { FilePrefix, prefixOf } from './export/fileNames';
import { CellsSection } from './fielding/CellsSection';
import { FieldingPanel } from './fielding/FieldingPanel';
import { PlayFailuresSection } from './fielding/PlayFailuresSection';
import { FiguresOfStudy } from './figures/Figures';
import { resultsKey, studyKey } from './keys';
import { Groups, type Origin, originOfAddress, OriginOfPage } from './pageContext';
import { ConformanceSection } from './participants/ConformanceSection';
import { DemographicsSection } from './participants/DemographicsSection';
import { KeepingSection } from './plan/KeepingSection';
import { hasHypotheses, PlanSection } from './plan/PlanSection';
import { UnplannedAnalyses } from './plan/unplanned';
import { PrivacySection } from './privacy/PrivacySection';
import { OverallSection } from './results/FigureSections';
import { ResultsSection } from './results/ResultsSection';
import { SimulatedNotice } from './results/SimulatedNotice';
import { UnblindPanel } from './results/UnblindPanel';
import { SharingLine } from './sharing/SharingLine';

const busyMs = 2000;
const calmMs = 8000;

export default function StudyPage({ sha256 }: { sha256: string }) {
  const language = useLanguage();
  const [origin, setOrigin] = useState<Origin>(originOfAddress);
  const [opened, setOpened] = useState<Opened | null>(null);
  useMarkClicks(setOpened);
  const openClip = (clip: string) => { setOpened({ clip }); };
  const close = () => { setOpened(null); };
  const study = useQuery({ queryKey: studyKey(sha256), queryFn: () => answer(api.GET('/api/research/studies/{sha256}', { params: { path: { sha256 } } })), staleTime: 0, refetchInterval: calmMs });
  const results = useQuery({
    queryKey: [...resultsKey(sha256), origin, language],
    queryFn: () => answer(api.GET('/api/research/studies/{sha256}/results', { params: { path: { sha256 }, query: { origin, lang: language } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'stale' || state.data?.status === 'running' ? busyMs : calmMs),
  });

  if (study.data === undefined) return study.isError ? <Fault error={study.error} onRetry={() => void study.refetch()} /> : <Wait />;
  const published = dateTime(study.data.published_at, language);
  const { name } = study.data;
  // once every link is closed, the answers come first
  const over = results.data?.collecting === false && !results.data.blinded;
  const [plan, keeping] = [<PlanSection key="plan" frozen={study.data.study} />, results.data !== undefined && <KeepingSection key="keeping" results={results.data} />];
  const links = study.data.fieldings.map((fielding) => <FieldingPanel key={fielding.slug} fielding={fielding} mayEdit={study.data.rights.includes('edit') && study.data.archived_at === null} />);
  const prefix = prefixOf(name, results.data?.snapshot?.sha256, results.data?.origin ?? origin);
  return (
    <OriginOfPage value={origin}>
      <Groups value={study.data.groups}>
        <FilePrefix value={prefix}>
          <FiguresOfStudy sha256={sha256} results={results.data}>
            <p className="crumbs">
              <Link href="/research">
                <Trans>Studies</Trans>
              </Link>
            </p>
            <PageHeading>{textIn(study.data.title, language)}</PageHeading>
            <p className="facts">
              {study.data.archived_at !== null && <ArchivedBadge />} {name} <Digest sha256={sha256} /> · <Trans>published {published}</Trans>
            </p>
            {over && results.data !== undefined && <Summary results={results.data} origin={origin} />}
            <SharingLine study={study.data} />
            {!over && (
              <p>
                <Link className="button button--quiet button--small" href={`/research/studies/${sha256}/live`}>
                  <Trans>Watch live</Trans>
                </Link>
              </p>
            )}
            {!over && links}
            {!over && <PlayFailuresSection failures={study.data.play_failures} onOpen={openClip} />}
            {!over && plan}
            {!over && keeping}
            {results.data !== undefined && (
              <SimulatedNotice simulated={results.data.simulated_sessions} started={results.data.simulated_started} people={results.data.sessions_used > 0} origin={origin} onOrigin={setOrigin} />
            )}
            {results.data?.blinded === true && (
              <>
                <UnblindPanel sha256={sha256} results={results.data} />
                <OverallSection />
              </>
            )}
            {results.data?.blinded === false && (
              <UnplannedAnalyses departures={results.data.departures}>
                <ResultsSection sha256={sha256} results={results.data} mayExport={study.data.rights.includes('export')} mayEdit={study.data.rights.includes('edit')} planned={hasHypotheses(study.data.study)} below={over && [plan, keeping]} />
              </UnplannedAnalyses>
            )}
            {over && links}
            {over && <PlayFailuresSection failures={study.data.play_failures} onOpen={openClip} />}
            {results.data !== undefined && <DemographicsSection tables={results.data.demographics} />}
            {results.isError && results.data === undefined && <Fault error={results.error} onRetry={() => void results.refetch()} />}
            {/* screening shows the current state, not the snapshot */}
            <FilePrefix value={prefixOf(name, undefined, origin)}>
              <ConformanceSection sha256={sha256} />
            </FilePrefix>
            <CellsSection cells={study.data.cells} />
            <ClipsSection sha256={sha256} onOpen={openClip} />
            <PrivacySection sha256={sha256} name={study.data.name} mayEdit={study.data.rights.includes('edit')} />
            <EndingSection study={study.data} />
            {opened !== null && 'clip' in opened && <ClipDialog key={opened.clip} sha256={sha256} digest={opened.clip} onClose={close} />}
            {opened !== null && 'condition' in opened && <ConditionDialog sha256={sha256} condition={opened.condition} onClose={close} />}
          </FiguresOfStudy>
        </FilePrefix>
      </Groups>
    </OriginOfPage>
  );
}
