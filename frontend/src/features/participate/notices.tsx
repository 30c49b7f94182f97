import { Trans } from '@lingui/react/macro';

import { ApiError } from '../../shared/api/error';
import type { Loss } from '../../shared/outbox/verdict';
import { Notice } from '../../shared/ui/page';
import { Contact } from '../../shared/ui/text';
import { SomebodyElse } from './Returning';

interface NotOpenProps {
  state: 'paused' | 'closed' | 'full';
  /** For one who may have begun before; null for anyone else. */
  onGoOn: (() => void) | null;
}

export function NotOpen({ state, onGoOn }: NotOpenProps) {
  const goOn = onGoOn !== null && <GoOn onClick={onGoOn} />;
  switch (state) {
    case 'paused':
      return (
        <Notice title={<Trans>This study is taking a short break</Trans>}>
          <p>
            <Trans>Please come back a little later. Thank you for your interest.</Trans>
          </p>
          {goOn}
        </Notice>
      );
    case 'closed':
      return (
        <Notice title={<Trans>This study has ended</Trans>}>
          <p>
            <Trans>It no longer takes answers. Thank you for your interest.</Trans>
          </p>
          {goOn}
        </Notice>
      );
    case 'full':
      return (
        <Notice title={<Trans>This study has all the participants it needs</Trans>}>
          <p>
            <Trans>Thank you for your interest.</Trans>
          </p>
          {goOn}
        </Notice>
      );
  }
}

function GoOn({ onClick }: { onClick: () => void }) {
  return (
    <>
      <p>
        <Trans>It takes nobody new. If you have begun it before, you may be able to go on.</Trans>
      </p>
      <div className="actions">
        <button type="button" className="button" onClick={onClick}>
          <Trans>I have begun before</Trans>
        </button>
      </div>
    </>
  );
}

/** For whoever took part before: by the recruiter's id, or in this browser by another of the study's links. */
export function TookPart({ contact }: { contact: string }) {
  return (
    <Notice title={<Trans>You have taken part in this study already</Trans>}>
      <p>
        <Trans>It can be taken only once. Thank you for your interest.</Trans>
      </p>
      <p>
        <Trans>
          To go on, or to see your completion code again, open the link by which you began, in the browser in which you began, or write to <Contact contact={contact} />.
        </Trans>
      </p>
      <SomebodyElse />
    </Notice>
  );
}

/** For whoever opens a recruiter's link without the id by which the recruiter knows them: nobody could pay them. */
export function NotSent({ contact }: { contact: string }) {
  return (
    <Notice title={<Trans>A part of your link is missing</Trans>}>
      <p>
        <Trans>
          A recruiter sends people to this study, and your link lacks the part by which the recruiter knows you. Without it nobody could tell that you took part, or
          pay you for it.
        </Trans>
      </p>
      <p>
        <Trans>Please open the study again by the recruiter's own link. Nothing has begun yet, and nothing is lost.</Trans>
      </p>
      <p>
        <Trans>
          If this page keeps coming back, please write to <Contact contact={contact} />.
        </Trans>
      </p>
    </Notice>
  );
}

export function LoadFault({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Notice title={<Trans>There is no study at this address</Trans>}>
        <p>
          <Trans>Please check the link that you were given.</Trans>
        </p>
      </Notice>
    );
  }
  return (
    <Notice title={<Trans>The study could not be loaded</Trans>}>
      <p>
        <Trans>The server does not answer as it should right now. Please try again in a moment.</Trans>
      </p>
      <div className="actions">
        <button type="button" className="button" onClick={onRetry}>
          <Trans>Try again</Trans>
        </button>
      </div>
    </Notice>
  );
}

/** Nothing more can be sent from this page. */
export function Lost({ loss, contact }: { loss: Loss; contact: string }) {
  switch (loss) {
    case 'ended':
      return (
        <Notice title={<Trans>Your session has ended</Trans>}>
          <p>
            <Trans>
              The server no longer knows this session, so the last answers could not be sent. Please write to <Contact contact={contact} />.
            </Trans>
          </p>
        </Notice>
      );
    case 'other_session':
      return (
        <Notice title={<Trans>Another session began in this browser</Trans>}>
          <p>
            <Trans>
              You began this study again in another tab or window, so this page can send nothing more. Answers that were not sent yet stay on this device.
              Please go on in the other tab, or write to <Contact contact={contact} />.
            </Trans>
          </p>
        </Notice>
      );
  }
}
