import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { answer, api } from '../../shared/api/client';
import type { DiskRow, ErrorRow, QueueRow, RunRow, ServiceRow } from '../../shared/api/contract.gen';
import { dateTime, decimal, fileSize, integer, roughly } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Fault, PageHeading, Wait } from '../../shared/ui/page';
import { warningText } from './words';

const EVERY_MS = 15_000;

/** Health page for admins: services, queues, backups, disk, versions and errors of the platform. Refreshes automatically. */
export default function HealthPage() {
  const language = useLanguage();
  const query = useQuery({
    queryKey: ['health'],
    queryFn: () => answer(api.GET('/api/health/report')),
    refetchInterval: EVERY_MS,
    staleTime: 0,
  });
  const report = query.data;
  const moment = report === undefined ? '' : dateTime(report.at, language);
  return (
    <>
      <PageHeading>
        <Trans>Health</Trans>
      </PageHeading>
      {query.isPending && <Wait />}
      {query.isError && <Fault error={query.error} onRetry={() => void query.refetch()} />}
      {report !== undefined && (
        <>
          <p className="prose">
            <Trans>As of {moment}. This page updates automatically.</Trans>
          </p>
          {report.warnings.length === 0 ? (
            <p>
              <span className="badge badge--open">
                <Trans>No problems</Trans>
              </span>
            </p>
          ) : (
            <ul className="warnings">
              {report.warnings.map((code) => (
                <li key={code} className="warning">
                  {warningText(code)}
                </li>
              ))}
            </ul>
          )}
          <Services services={report.services} />
          <Work queues={report.queues} lastAnalysis={report.last_analysis} behind={report.studies_behind} sessions={report.sessions_active} />
          <Backups backup={report.backup} drill={report.drill} />
          {report.disk !== null && <Disk disk={report.disk} />}
          <Errors errors={report.errors} />
          <section>
            <h2>
              <Trans>Versions</Trans>
            </h2>
            <dl className="factlist">
              {Object.entries(report.versions).map(([name, number]) => (
                <Fact key={name} name={name}>
                  {number}
                </Fact>
              ))}
            </dl>
          </section>
        </>
      )}
    </>
  );
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Services({ services }: { services: ServiceRow[] }) {
  return (
    <section>
      <h2>
        <Trans>Services</Trans>
      </h2>
      <ul className="entries">
        {services.map((service) => (
          <ServiceItem key={service.name} service={service} />
        ))}
      </ul>
    </section>
  );
}

function ServiceItem({ service: { name, ok, ends, since, reason } }: { service: ServiceRow }) {
  const language = useLanguage();
  const moment = since === null ? '' : dateTime(since, language);
  return (
    <li>
      <span>
        {name}{' '}
        <span className={ok ? 'badge badge--open' : 'badge badge--closed'}>{ok ? <Trans>works</Trans> : <Trans>does not work</Trans>}</span>
      </span>
      {' '}
      {ends !== null && ends > 0 && since !== null && (
        <span>
          <Plural value={ends} one="ended once" other="ended # times" />
          {', '}
          <Trans>in this state since {moment}</Trans>
          {reason !== null && `: ${reason}`}
        </span>
      )}
    </li>
  );
}

function Work({ queues, lastAnalysis, behind, sessions }: { queues: QueueRow[] | null; lastAnalysis: string | null; behind: number | null; sessions: number | null }) {
  const language = useLanguage();
  return (
    <section>
      <h2>
        <Trans>Tasks</Trans>
      </h2>
      <dl className="factlist">
        <Fact name={<Trans>Active sessions</Trans>}>{sessions === null ? <Unknown /> : integer(sessions, language)}</Fact>
        {queues === null ? (
          <Fact name={<Trans>Queue</Trans>}>
            <Unknown />
          </Fact>
        ) : (
          queues.map((queue) => (
            <Fact key={queue.name} name={<QueueName name={queue.name} />}>
              <Waiting queue={queue} />
            </Fact>
          ))
        )}
        <Fact name={<Trans>Last analysis</Trans>}>{lastAnalysis === null ? <Trans>none yet</Trans> : dateTime(lastAnalysis, language)}</Fact>
        <Fact name={<Trans>Studies that wait for analysis</Trans>}>{behind === null ? <Unknown /> : integer(behind, language)}</Fact>
      </dl>
    </section>
  );
}

function QueueName({ name }: { name: string }) {
  return <Trans>Queue {name}</Trans>;
}

function Waiting({ queue: { length, oldest_s } }: { queue: QueueRow }) {
  const language = useLanguage();
  const duration = oldest_s === null ? null : roughly(oldest_s * 1000, language);
  return (
    <>
      <Plural value={length} one="# task waits" other="# tasks wait" />
      {duration !== null && (
        <>
          {', '}
          <Trans>the oldest for {duration}</Trans>
        </>
      )}
    </>
  );
}

function Backups({ backup, drill }: { backup: RunRow | null; drill: RunRow | null }) {
  return (
    <section>
      <h2>
        <Trans>Backups</Trans>
      </h2>
      <dl className="factlist">
        <Fact name={<Trans>Last backup</Trans>}>
          <Run run={backup} />
        </Fact>
        <Fact name={<Trans>Last restore drill</Trans>}>
          <Run run={drill} />
        </Fact>
      </dl>
    </section>
  );
}

function Run({ run }: { run: RunRow | null }) {
  const language = useLanguage();
  if (run === null) return <Trans>none yet</Trans>;
  return (
    <>
      {dateTime(run.at, language)}{' '}
      <span className={run.ok ? 'badge badge--open' : 'badge badge--closed'}>{run.ok ? <Trans>passed</Trans> : <Trans>failed</Trans>}</span>
      {run.bytes !== null && ` ${fileSize(run.bytes, language)}`}
      {run.sentences.length > 0 && (
        <details>
          <summary>
            <Trans>Checks</Trans>
          </summary>
          <ul>
            {run.sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Disk({ disk }: { disk: DiskRow }) {
  const language = useLanguage();
  const used = 1 - disk.free_bytes / disk.total_bytes;
  const free = fileSize(disk.free_bytes, language);
  const total = fileSize(disk.total_bytes, language);
  const { t } = useLingui();
  return (
    <section>
      <h2>
        <Trans>Disk</Trans>
      </h2>
      <meter aria-label={t`Used`} value={used} max={1} high={0.9} optimum={0} />
      <dl className="factlist">
        <Fact name={<Trans>Free</Trans>}>
          <Trans>
            {free} of {total}
          </Trans>
        </Fact>
        <Fact name={<Trans>Growth per day</Trans>}>
          {disk.growth_bytes_per_day === null ? <Trans>known after six hours</Trans> : fileSize(Math.max(0, disk.growth_bytes_per_day), language)}
        </Fact>
        <Fact name={<Trans>Days left</Trans>}>{disk.days_left === null ? '–' : decimal(disk.days_left, disk.days_left < 10 ? 1 : 0, language)}</Fact>
        <Fact name={<Trans>Reserve for running sessions</Trans>}>{fileSize(disk.reserve_bytes, language)}</Fact>
      </dl>
    </section>
  );
}

function Errors({ errors }: { errors: ErrorRow[] | null }) {
  return (
    <section>
      <h2>
        <Trans>Errors of the last day</Trans>
      </h2>
      {errors === null && <Unknown />}
      {errors?.length === 0 && (
        <p>
          <Trans>None.</Trans>
        </p>
      )}
      <ul className="entries">
        {errors?.map((group) => (
          <ErrorItem key={`${group.logger} ${group.text} ${group.error ?? ''} ${group.where ?? ''}`} group={group} />
        ))}
      </ul>
    </section>
  );
}

function ErrorItem({ group: { logger, text, error, where, times, last_at } }: { group: ErrorRow }) {
  const language = useLanguage();
  const place = where ?? logger;
  const moment = dateTime(last_at, language);
  return (
    <li>
      <span>
        {times} × {error === null ? text : `${error}: ${text}`}
      </span>
      {' '}
      <span>
        <Trans>
          ({place}, last {moment})
        </Trans>
      </span>
    </li>
  );
}

function Unknown() {
  return <Trans>unknown</Trans>;
}
