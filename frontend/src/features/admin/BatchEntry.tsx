import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';

import type { BatchSummary } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Digest } from '../../shared/ui/Digest';
import { BatchFacts } from './BatchFacts';
import { BatchState } from './BatchState';

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
