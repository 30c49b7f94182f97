import { Plural, Trans } from '@lingui/react/macro';
import { use } from 'react';

import type { Back } from '../../../shared/api/forms';
import { CopyButton } from '../../../shared/ui/CopyButton';
import { Notice } from '../../../shared/ui/page';
import { Contact } from '../../../shared/ui/text';
import { Preview } from '../frame/Shell';
import { RETURN_AFTER_S, useAutomaticReturn } from './useAutomaticReturn';

interface Props {
  back: Back;
  sessionId: string;
  contact: string;
  children: React.ReactNode;
}

/** The end page of a recruited participant, with the return to the recruiter first, because payment depends on it. */
export function ReturnStep({ back: { recruiter: name, end, code, url }, sessionId, contact, children }: Props) {
  const { secondsLeft, returned, stop, leave } = useAutomaticReturn(url, sessionId, use(Preview) !== null);
  return (
    <Notice title={<Title name={name} end={end} linked={url !== null} returned={returned} />}>
      {end === 'completed' ? (
        <p>
          {returned ? <Trans>You have already returned to {name}. You may close this page now.</Trans> : <Trans>Thank you! All your answers have arrived.</Trans>}
        </p>
      ) : (
        <p>
          <Trans>
            Thank you. All your answers have arrived, but not all checks of this study were passed. Please return to {name} anyway, so that this is recorded there correctly. If you think that this is a mistake, please write to <Contact contact={contact} />.
          </Trans>
        </p>
      )}
      {url !== null && (
        <div className="actions">
          <a className="button" href={url} rel="noreferrer" onClick={leave}>
            <Trans>Return to {name}</Trans>
          </a>
          {secondsLeft !== null && (
            <button type="button" className="button button--quiet" onClick={stop}>
              <Trans>Stay on this page</Trans>
            </button>
          )}
        </div>
      )}
      {secondsLeft !== null && (
        // hidden from screen readers: the status below announces the time only at the start and halfway
        <p className="facts" aria-hidden="true">
          <Plural value={secondsLeft} one="You return automatically in # second." other="You return automatically in # seconds." />
        </p>
      )}
      <Countdown name={name} secondsLeft={secondsLeft} runs={url !== null && !returned} />
      {code !== null && (
        <>
          <p>
            {url === null ? <Trans>Enter this code on {name}:</Trans> : <Trans>If {name} asks for a code, enter this one:</Trans>}
          </p>
          <p className="code">
            <output id="recruiter-code">{code}</output>
            <CopyButton text={code} describedBy="recruiter-code" />
          </p>
        </>
      )}
      {children}
    </Notice>
  );
}

function Title({ name, end, linked, returned }: { name: string; end: Back['end']; linked: boolean; returned: boolean }) {
  if (returned) return <Trans>Thank you!</Trans>;
  if (!linked) return <Trans>One more step: enter your code on {name}</Trans>;
  return end === 'completed' ? <Trans>One more step: return to {name} to be paid</Trans> : <Trans>One more step: return to {name}</Trans>;
}

/** Announces the automatic return to screen readers. The region starts empty, because screen readers may ignore a region that is created with its text. */
function Countdown({ name, secondsLeft, runs }: { name: string; secondsLeft: number | null; runs: boolean }) {
  const half = RETURN_AFTER_S / 2;
  return (
    <p role="status" className="visually-hidden">
      {secondsLeft === null && runs && <Trans>You stay on this page until you press the button.</Trans>}
      {secondsLeft !== null && secondsLeft < RETURN_AFTER_S && secondsLeft > half && (
        <Trans>You return to {name} automatically in {RETURN_AFTER_S} seconds. To stop this, press “Stay on this page”.</Trans>
      )}
      {secondsLeft !== null && secondsLeft <= half && <Trans>You return to {name} automatically in {half} seconds.</Trans>}
    </p>
  );
}
