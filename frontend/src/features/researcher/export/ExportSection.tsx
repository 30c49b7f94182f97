import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { ExportJobOut } from '../../../shared/api/contract.gen';
import { ApiError } from '../../../shared/api/error';
import { dateTime, fileSize, percent, roughly } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { ProgressBar } from '../../../shared/ui/ProgressBar';
import { exportJobsKey, exportsKey } from '../keys';
import { useOrigin } from '../pageContext';

const busyMs = 1000;
const calmMs = 60_000;

const isUnderWay = (job: ExportJobOut | undefined): boolean => job?.state === 'queued' || job?.state === 'running';

/**
 * Requests an export, shows the progress of the newest one, and offers its file until it expires. A worker creates the
 * export, so the user can leave the page. State changes are announced to screen readers in one place. `note` is about
 * what the export contains.
 */
export function ExportSection({ sha256, note }: { sha256: string; note?: ReactNode }) {
  const origin = useOrigin();
  const cache = useQueryClient();
  const jobs = useQuery({
    queryKey: exportJobsKey(sha256),
    queryFn: () => answer(api.GET('/api/research/studies/{sha256}/export-jobs', { params: { path: { sha256 } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) === true ? busyMs : calmMs),
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => answer(api.POST('/api/research/studies/{sha256}/export-jobs', { params: { path: { sha256 } }, body: { origin } })),
    onSuccess: () => Promise.all([exportJobsKey(sha256), exportsKey(sha256)].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
  // the newest job comes first
  const job = jobs.data?.find((candidate) => candidate.origin === origin);
  const busy = isPending || isUnderWay(job);
  const failed = error !== null || job?.state === 'failed';
  return (
    <div className="export">
      <div className="export__state">
        <div role="status">{error === null && <StatusText job={job} asking={isPending} />}</div>
        {error !== null && (
          <p role="alert" className="field-error">
            <Refused error={error} />
          </p>
        )}
        {error === null && job?.state === 'running' && <Progress job={job} />}
        {note}
      </div>
      {/* the button keeps its place and the focus while the export is being created */}
      <button type="button" className="button button--quiet button--small" aria-disabled={busy} onClick={() => { if (!busy) mutate(); }}>
        {failed ? <Trans>Try again</Trans> : job?.state === 'done' ? <Trans>Export again</Trans> : <Trans>Export</Trans>}
      </button>
      {error === null && job?.state === 'done' && job.file !== null && (
        <a className="button button--small" href={job.file} download>
          <Trans>Download export</Trans>
        </a>
      )}
    </div>
  );
}

/** The text for screen readers. It changes with the state, not with each step of the progress. */
function StatusText({ job, asking }: { job: ExportJobOut | undefined; asking: boolean }): ReactNode {
  const language = useLanguage();
  if (asking) {
    return (
      <p className="facts">
        <Trans>Requesting the export …</Trans>
      </p>
    );
  }
  switch (job?.state) {
    case undefined:
      return null;
    case 'queued':
      return (
        <p className="facts">
          {job.reason === '' ? (
            <Trans>The export waits for the server. You can leave this page.</Trans>
          ) : (
            <>
              <Why job={job} /> <Trans>The server tries again in a few minutes.</Trans>
            </>
          )}
        </p>
      );
    case 'running':
      return (
        <p className="facts">
          <Trans>The export is being created. You can leave this page.</Trans>
        </p>
      );
    case 'done': {
      const size = job.size_bytes === null ? '–' : fileSize(job.size_bytes, language);
      const until = job.expires_at === null ? '–' : dateTime(job.expires_at, language);
      return (
        <p className="facts">
          <Trans>
            The export of <Plural value={job.votes} one="# vote" other="# votes" /> is ready ({size}) and available until {until}.
          </Trans>
        </p>
      );
    }
    case 'expired':
      return (
        <p className="facts">
          <Why job={job} />
        </p>
      );
    case 'failed':
      return (
        <p className="field-error">
          <Why job={job} />
        </p>
      );
  }
}

function Progress({ job: { step, done, of, seconds_left } }: { job: ExportJobOut }) {
  const { t } = useLingui();
  const language = useLanguage();
  const left = seconds_left === null ? '' : roughly(1000 * seconds_left, language);
  const packed = percent(of === null ? null : done / of, language);
  const at = step === 'packing' && of !== null ? t`packing, ${packed}` : t`reading the votes`;
  const text = left === '' ? at : t`${at}, about ${left} left`;
  return of === null ? <p className="facts">{text}</p> : <ProgressBar label={t`Export`} share={done / of} text={text} />;
}

/** The reason why an export failed or no longer has a file. */
function Why({ job: { reason, message } }: { job: ExportJobOut }): ReactNode {
  switch (reason) {
    case 'full':
      return <Trans>The server’s disk is almost full, so the export cannot be stored. Please ask the operator to free some space.</Trans>;
    case 'store':
      return <Trans>The server’s file store does not respond.</Trans>;
    case 'replaced':
      return <Trans>The results were replaced after an update, before the export was created.</Trans>;
    case 'erased':
      return <Trans>The data of a participant in the last export was erased, and the export with it. If you have a copy, please delete it.</Trans>;
    case 'killed':
    case 'error':
      return <Trans>The export could not be created. The server’s log has the reason.</Trans>;
    case 'too_long':
      return <Trans>Creating the export took too long and was stopped.</Trans>;
    case 'over':
      return <Trans>The file of the last export was deleted, because it had expired.</Trans>;
    case 'missing':
      return <Trans>The file of the last export is no longer on the server.</Trans>;
    case 'damaged':
    case '':
      return (
        <>
          <Trans>The export could not be created. Message from the server:</Trans> <span lang="en">{message}</span>
        </>
      );
  }
}

function Refused({ error }: { error: Error }): ReactNode {
  if (error instanceof ApiError && error.code === 'recomputing') return <Trans>The results are being computed again after an update. Please try again in a minute.</Trans>;
  if (error instanceof ApiError && error.code === 'unreachable') return <Trans>The server cannot be reached. Please try again.</Trans>;
  if (error instanceof ApiError && error.code === 'no_room') return <Trans>The server’s disk is almost full, so the export cannot be stored. Please ask the operator to free some space.</Trans>;
  return error.message;
}
