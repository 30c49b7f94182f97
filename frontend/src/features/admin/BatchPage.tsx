import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { answer, api } from '../../shared/api/client';
import type { ClipRow } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Fault, PageHeading, Wait } from '../../shared/ui/page';
import { Digest } from '../../shared/ui/text';
import { BatchFacts, BatchState } from './BatchFacts';
import { ClipCard } from './ClipCard';
import { DeleteBatch } from './DeleteBatch';
import { batchKey } from './keys';

/** Single clips before pairs, then by site, network and stacks. */
function inOrder(a: ClipRow, b: ClipRow): number {
  const keyOf = (clip: ClipRow) => [clip.kind === 'single' ? 0 : 1, clip.site, clip.network, ...clip.stacks, clip.run].join('\n');
  return keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true });
}

export default function BatchPage({ sha256 }: { sha256: string }) {
  const language = useLanguage();
  const batch = useQuery({ queryKey: batchKey(sha256), queryFn: () => answer(api.GET('/api/batches/{sha256}', { params: { path: { sha256 } } })) });
  if (batch.data === undefined) return batch.isError ? <Fault error={batch.error} onRetry={() => void batch.refetch()} /> : <Wait />;
  const clips = [...batch.data.clips].sort(inOrder);
  const received = dateTime(batch.data.received_at, language);
  return (
    <>
      <p className="crumbs">
        <Link href="/admin">
          <Trans>Batches</Trans>
        </Link>
      </p>
      <PageHeading>{batch.data.campaign}</PageHeading>
      <p className="facts">
        <BatchState state={batch.data.state} /> <Digest sha256={sha256} /> · <Trans>received {received}</Trans>
      </p>
      <BatchFacts batch={{ ...batch.data, clips: clips.length }} />
      <DeleteBatch batch={batch.data} />
      <h2>
        <Trans>Clips</Trans>
      </h2>
      <div className="clips">
        {clips.map((clip) => (
          <ClipCard key={clip.sha256} batch={sha256} clip={clip} />
        ))}
      </div>
    </>
  );
}
