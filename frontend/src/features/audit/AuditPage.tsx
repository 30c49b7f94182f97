import { Trans } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from 'wouter';

import { answer, api } from '../../shared/api/client';
import { Fault, PageHeading, Wait } from '../../shared/ui/page';
import { EntryRow } from './EntryRow';

/** The audit log of the study in the address, or of everything that the reader may see. */
export default function AuditPage() {
  const study = new URLSearchParams(useSearch()).get('study');
  const log = useInfiniteQuery({
    queryKey: ['audit', study],
    queryFn: ({ pageParam }) => answer(api.GET('/api/audit', { params: { query: { study, before: pageParam } } })),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.before,
    staleTime: 0,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries);
  return (
    <>
      <PageHeading>{study === null ? <Trans>Audit log</Trans> : <Trans>Audit log of this study</Trans>}</PageHeading>
      <p className="prose">
        {study === null ? (
          <Trans>Changes to studies and accounts, newest first. Entries cannot be changed.</Trans>
        ) : (
          <>
            <Link href={`/research/studies/${study}`}>
              <Trans>Back to the study</Trans>
            </Link>
            {' · '}
            <Link href="/log">
              <Trans>All entries</Trans>
            </Link>
          </>
        )}
      </p>
      {log.isPending && <Wait />}
      {log.isError && log.data === undefined && <Fault error={log.error} onRetry={() => void log.refetch()} />}
      {entries?.length === 0 && (
        <p className="empty">
          <Trans>There are no entries yet.</Trans>
        </p>
      )}
      <ol className="entries">
        {entries?.map((entry) => (
          <EntryRow key={entry.id} entry={entry} isOfStudy={study !== null} />
        ))}
      </ol>
      {log.hasNextPage && (
        <button type="button" className="button button--quiet" disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          <Trans>Show older entries</Trans>
        </button>
      )}
    </>
  );
}
