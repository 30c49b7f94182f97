import { Trans } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { answer, api } from '../../shared/api/client';
import type { BatchDetail } from '../../shared/api/contract.gen';
import { fileSize } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog';
import { batchesKey } from './keys';

/** Lists the studies that use a batch, or offers to delete an unused batch. */
export function DeleteBatch({ batch }: { batch: BatchDetail }) {
  const cache = useQueryClient();
  const language = useLanguage();
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState(false);
  const { sha256, campaign } = batch;
  const size = fileSize(batch.bytes, language);
  const names = batch.studies.join(', ');
  const deletion = useMutation({
    mutationFn: () => answer(api.POST('/api/batches/{sha256}/deletion', { params: { path: { sha256 } }, body: { confirm: campaign } })),
    onSuccess: () => {
      navigate('/admin');
      return cache.invalidateQueries({ queryKey: batchesKey, exact: true });
    },
  });
  if (batch.studies.length > 0) {
    return (
      <p className="facts">
        <Trans>Used by: {names}. A batch can be deleted once no study uses it.</Trans>
      </p>
    );
  }
  if (batch.state === 'committing') return null;
  return (
    <div className="actions">
      <span className="facts">
        <Trans>No study uses this batch.</Trans>
      </span>
      <button type="button" className="button button--quiet button--small" onClick={() => { setAsking(true); }}>
        <Trans>Delete the batch …</Trans>
      </button>
      {asking && (
        <ConfirmDialog
          title={<Trans>Delete the batch {campaign} permanently?</Trans>}
          typed={{ text: campaign, label: <Trans>Type {campaign} to confirm</Trans> }}
          cancel={<Trans>Keep it</Trans>}
          action={<Trans>Delete permanently</Trans>}
          busy={deletion.isPending}
          error={deletion.error}
          onConfirm={() => { deletion.mutate(); }}
          onCancel={() => { setAsking(false); }}
        >
          <p>
            <Trans>Its takes and clips ({size}) are deleted, except for files that another batch also has. To use them again, push the batch again.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
