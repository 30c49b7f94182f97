import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { answer, api } from '../../shared/api/client';
import { Fault } from '../../shared/ui/Fault';
import { PageHeading } from '../../shared/ui/PageHeading';
import { Wait } from '../../shared/ui/Wait';
import { BatchEntry } from './BatchEntry';
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
