import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import type { BatchSummary } from '../../shared/api/contract.gen';
import { fileSize, integer } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';

type Props = Omit<BatchSummary, 'clips'> & { clips: number };

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function BatchFacts({ batch }: { batch: Props }) {
  const language = useLanguage();
  return (
    <dl className="factlist">
      <Fact name={<Trans>Sites</Trans>}>{batch.sites.join(', ')}</Fact>
      <Fact name={<Trans>Networks</Trans>}>{batch.networks.join(', ')}</Fact>
      <Fact name={<Trans>Stacks</Trans>}>{batch.stacks.join(', ')}</Fact>
      <Fact name={<Trans>Takes</Trans>}>{integer(batch.takes, language)}</Fact>
      <Fact name={<Trans>Clips</Trans>}>{integer(batch.clips, language)}</Fact>
      <Fact name={<Trans>Size</Trans>}>{fileSize(batch.bytes, language)}</Fact>
    </dl>
  );
}

export function BatchState({ state }: { state: BatchSummary['state'] }) {
  switch (state) {
    case 'receiving':
      return (
        <span className="badge badge--paused">
          <Trans>being received</Trans>
        </span>
      );
    case 'committing':
      return (
        <span className="badge badge--paused">
          <Trans>being checked</Trans>
        </span>
      );
    case 'visible':
      return (
        <span className="badge badge--open">
          <Trans>visible</Trans>
        </span>
      );
  }
}
