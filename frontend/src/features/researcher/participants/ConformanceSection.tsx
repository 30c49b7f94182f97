import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { answer, api, urlOf } from '../../../shared/api/client';
import { dateTime } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { Fault } from '../../../shared/ui/page';
import { ScreeningFigures } from '../figures/Figures';
import { conformanceKey } from '../keys';
import { useOrigin } from '../pageContext';
import { BooksPanel } from '../payment/BooksPanel';
import { FoldedTable } from '../tables/FoldedTable';
import { SessionVerdicts } from './SessionVerdicts';

const calmMs = 8000;

/** Data quality screening: participants remaining after each rule, per group, and the result of each session. */
export function ConformanceSection({ sha256 }: { sha256: string }) {
  const language = useLanguage();
  const origin = useOrigin();
  const { data, error, refetch } = useQuery({ queryKey: [...conformanceKey(sha256), origin, language], queryFn: () => answer(api.GET('/api/research/studies/{sha256}/conformance', { params: { path: { sha256 }, query: { origin, lang: language } } })), staleTime: 0, refetchInterval: calmMs });
  if (data === undefined) return error === null ? null : <Fault error={error} onRetry={() => void refetch()} />;
  const countedAt = data.counted_at === null ? null : dateTime(data.counted_at, language);
  return (
    <section>
      <h2>
        <Trans>Data quality screening</Trans>
      </h2>
      <p className="facts">
        <Trans>
          Sessions remaining after each rule. Exclusion is per participant. Missing evidence never excludes anyone. Accepted participants are paid, even if their votes are not used.
        </Trans>
      </p>
      {countedAt !== null && (
        <p className="facts">
          <Trans>As of {countedAt}. A study of this size is counted at intervals.</Trans>
        </p>
      )}
      <ScreeningFigures sha256={sha256} groups={data.groups} />
      {data.may_pay && (
        <p className="download">
          <a className="button button--quiet button--small" href={urlOf('/api/research/studies/{sha256}/conformance/accepted.csv', { sha256 })} download>
            <Trans>Participants to pay (CSV)</Trans>
          </a>
          <span className="facts">
            <Trans>Contains the recruiter's IDs; each download is recorded in the audit log.</Trans>
          </span>
        </p>
      )}
      {data.may_pay && Object.keys(data.recruiters).length > 0 && <BooksPanel key={`${origin} ${language}`} sha256={sha256} recruiters={data.recruiters} />}
      {data.watched.rows.length > 0 && (
        <>
          <h3>
            <Trans>Playback quality</Trans>
          </h3>
          <p className="facts">
            <Trans>Plays as reported by the participants' browsers. A play may be counted in several columns. The export has all values for each play.</Trans>
          </p>
          <FoldedTable table={data.watched} />
        </>
      )}
      <SessionVerdicts sha256={sha256} />
    </section>
  );
}
