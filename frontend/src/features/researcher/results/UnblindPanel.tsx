import { Trans } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';

import { answer, api } from '../../../shared/api/client';
import type { ResultsOut } from '../../../shared/api/contract.gen';
import { resultsKey } from '../keys';
import { FoldedTable } from '../tables/FoldedTable';
import { SnapshotLine } from './SnapshotLine';

/** Asks for confirmation before showing results by stack during data collection; unblinding is recorded. */
export function UnblindPanel({ sha256, results }: { sha256: string; results: ResultsOut }) {
  const cache = useQueryClient();
  const show = useMutation({ mutationFn: () => answer(api.POST('/api/research/studies/{sha256}/unblind', { params: { path: { sha256 } } })), onSuccess: () => cache.invalidateQueries({ queryKey: resultsKey(sha256) }) });
  return (
    <section className="results">
      {results.snapshot !== null && (
        <>
          <div className="results__head">
            <SnapshotLine results={results} snapshot={results.snapshot} />
          </div>
          <FoldedTable table={results.counts} />
        </>
      )}
      <div className="empty">
        <p>
          <Trans>This study is in the field. Looking at results by stack during data collection can bias the study.</Trans>
        </p>
        <button type="button" className="button button--quiet" disabled={show.isPending} onClick={() => { show.mutate(); }}>
          <Trans>Show results by stack; this is recorded</Trans>
        </button>
        {show.error !== null && (
          <p role="alert" className="field-error">
            {show.error.message}
          </p>
        )}
      </div>
    </section>
  );
}
