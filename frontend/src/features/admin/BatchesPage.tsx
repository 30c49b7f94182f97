import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { answer, api } from '../../shared/api/client';
import type { BatchSummary } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Fault, PageHeading, Wait } from '../../shared/ui/page';
import { Digest } from '../../shared/ui/text';
import { BatchFacts, BatchState } from './BatchFacts';
import { batchesKey } from './keys';
import { UploadPanel } from './upload/UploadPanel';

export default function BatchesPage() {
  const batches = useQuery({ queryKey: batchesKey, queryFn: () => answer(api.GET('/api/batches')), staleTime: 0 });
  return (
    <>
      <PageHeading>
        <Trans>Batches</Trans>
      </PageHeading>
      <UploadPanel />
      {batches.isPending && <Wait />}
      {batches.isError && batches.data === undefined && <Fault error={batches.error} onRetry={() => void batches.refetch()} />}
      {batches.data?.length === 0 && (
        <p className="empty">
          <Trans>
            No batch has been received yet. Upload one here, or send it with <code>eyelevel push</code>.
          </Trans>
        </p>
      )}
      <ul className="entries">
        {batches.data?.map((batch) => (
          <BatchEntry key={batch.sha256} batch={batch} />
        ))}
      </ul>
    </>
  );
}

export function BatchEntry({ batch }: { batch: BatchSummary }) {
  const language = useLanguage();
  const received = dateTime(batch.received_at, language);
  return (
    <li className="entry">
      <h2 className="entry__title">
        <Link href={`/admin/batches/${batch.sha256}`}>{batch.campaign}</Link>
      </h2>
      <p className="facts">
        <BatchState state={batch.state} /> <Digest sha256={batch.sha256} /> · <Trans>received {received}</Trans>
      </p>
      <BatchFacts batch={batch} />
    </li>
  );
}
