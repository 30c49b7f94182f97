import { Plural, Trans } from '@lingui/react/macro';

import type { Promises } from '../../shared/api/contract.gen';
import { ApiError } from '../../shared/api/error';
import { PageHeading } from '../../shared/ui/page';
import { Contact } from '../../shared/ui/text';

interface Props {
  terms: Promises;
  pending: boolean;
  error: Error | null;
  onErase: () => void;
  onKeep: () => void;
}

/** Error codes of the server if neither code nor cookie identifies a session, as after an erasure. */
const GONE = ['unknown_code', 'no_session'];

/** Asks for confirmation before everything is erased. */
export function Confirm({ terms, pending, error, onErase, onKeep }: Props) {
  // null: the code alone does not reveal the number of votes
  const votes = terms.promises.reduce((sum: number | null, promise) => (sum === null || promise.votes === null ? null : sum + promise.votes), 0);
  const studies = terms.promises.length;
  const contact = terms.promises[0]?.contact ?? '';
  return (
    <>
      <PageHeading>
        <Trans>Erase everything permanently?</Trans>
      </PageHeading>
      <div className="prose">
        <p>
          {votes === null ? (
            <Trans>
              All your answers in this study will be erased, including your answers about yourself, the playback records, and your ID at the website that recruited you, if there is one.
            </Trans>
          ) : (
            <Trans>
              <Plural value={votes} one="Your answer to # video" other="Your answers to # videos" /> will be erased, including your answers about yourself, the playback records, and your ID at the website that recruited you, if there is one.
            </Trans>
          )}
        </p>
        {studies > 1 && (
          <p>
            <Trans>This applies to all {studies} sessions that you took part in.</Trans>
          </p>
        )}
        <p>
          <Trans>
            This cannot be undone. If you are still waiting for a payment, write to <Contact contact={contact} /> first: afterwards nobody can confirm that you took part.
          </Trans>
        </p>
      </div>
      <div className="actions">
        <button type="button" className="button button--grave" disabled={pending} onClick={onErase}>
          <Trans>Erase permanently</Trans>
        </button>
        <button type="button" className="button button--quiet" disabled={pending} onClick={onKeep}>
          <Trans>Keep my answers</Trans>
        </button>
      </div>
      <div role="alert">
        {error !== null && (
          <p className="field-error">
            <ErasureFailure error={error} />
          </p>
        )}
      </div>
    </>
  );
}

/** Explains a failed call. Without an answer of the server, it is unknown whether data was erased. */
function ErasureFailure({ error }: { error: Error }) {
  if (!(error instanceof ApiError) || error.status === 0 || error.foreign) {
    return <Trans>The server did not respond, so we do not know whether your answers were erased. Please try again: a second attempt does no harm.</Trans>;
  }
  if (GONE.includes(error.code)) return <Trans>There is nothing left to erase: your answers were erased before, or this browser no longer knows your session.</Trans>;
  return <Trans>Nothing was erased: the server reported an error. Please try again.</Trans>;
}
