import { Trans } from '@lingui/react/macro';

import type { Problem } from './plan';
import { FolderError } from './sendBatch';

const shownAtMost = 8;

/** The reason why a folder was rejected: problems found before sending, or the server's message. */
export function UploadFault({ error }: { error: Error }) {
  return (
    <div className="fault" role="alert">
      <p>
        <strong>
          <Trans>The batch was not accepted.</Trans>
        </strong>
      </p>
      {error instanceof FolderError ? <FolderFault error={error} /> : <p>{error.message}</p>}
    </div>
  );
}

function FolderFault({ error }: { error: FolderError }) {
  const { refusal } = error;
  switch (refusal.what) {
    case 'no-manifest':
      return (
        <p>
          <Trans>There is no manifest.json in this folder. Choose the folder that “eyelevel capture” wrote.</Trans>
        </p>
      );
    case 'not-a-manifest':
      return (
        <p>
          <Trans>manifest.json is not the manifest of a batch. Choose the folder that “eyelevel capture” wrote.</Trans>
        </p>
      );
    case 'problems': {
      const more = refusal.problems.length - shownAtMost;
      return (
        <ul>
          {refusal.problems.slice(0, shownAtMost).map((problem) => (
            <li key={problem.path}>
              <ProblemSentence problem={problem} />
            </li>
          ))}
          {more > 0 && (
            <li>
              <Trans>and {more} more</Trans>
            </li>
          )}
        </ul>
      );
    }
  }
}

function ProblemSentence({ problem }: { problem: Problem }) {
  const { path } = problem;
  switch (problem.what) {
    case 'missing':
      return (
        <Trans>
          <code>{path}</code> is in the manifest, but not in the folder.
        </Trans>
      );
    case 'size': {
      const { expected_bytes: expected, found_bytes: actual } = problem;
      return (
        <Trans>
          <code>{path}</code> has {actual} bytes, but the manifest says {expected}.
        </Trans>
      );
    }
  }
}
