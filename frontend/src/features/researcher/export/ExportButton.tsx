import { Trans } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';

import { urlOf } from '../../../shared/api/client';
import { fetchFile, saveFile } from '../../../shared/api/download';
import { ApiError } from '../../../shared/api/error';
import { useOrigin } from '../pageContext';

/** Downloads the export of a study. It is made on request, one at a time, which may take minutes. */
export function ExportButton({ sha256 }: { sha256: string }) {
  const origin = useOrigin();
  const query = origin === 'all' ? '?origin=all' : '';
  const { mutate, isPending, error } = useMutation({ mutationFn: async () => { saveFile(await fetchFile(urlOf('/api/research/studies/{sha256}/export', { sha256 }) + query)); } });
  return (
    <div className="export">
      {error !== null && (
        <p role="alert" className="field-error">
          <Why error={error} />
        </p>
      )}
      {isPending && (
        <p role="status" className="facts">
          <Trans>The export is being made. Please keep this page open.</Trans>
        </p>
      )}
      <button type="button" className="button button--quiet button--small" disabled={isPending} onClick={() => { mutate(); }}>
        {error === null ? <Trans>Export</Trans> : <Trans>Try again</Trans>}
      </button>
    </div>
  );
}

function Why({ error }: { error: Error }) {
  if (error instanceof ApiError && error.code === 'busy') return <Trans>Another export is being made right now. Please try again in a minute.</Trans>;
  if (error instanceof ApiError && error.code === 'recomputing') return <Trans>The results are being computed again after an update. Please try again in a minute.</Trans>;
  if (error instanceof ApiError && error.status === 504) return <Trans>Making the export took longer than the server waits, so it was cut off. Please try again, or ask the operator for a longer limit.</Trans>;
  if (error instanceof ApiError && error.code === 'unreachable') return <Trans>The connection broke off before the export was complete. Please try again.</Trans>;
  return error.message;
}
