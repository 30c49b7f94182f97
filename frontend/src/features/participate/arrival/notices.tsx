import { Trans } from '@lingui/react/macro';

import type { StudyText } from '../../../shared/api/forms';
import { Action, Notice } from '../../../shared/ui/page';
import { Contact } from '../../../shared/ui/text';
import { SomebodyElse } from '../frame/SomebodyElse';
import { WayBack } from '../recruiter/WayBack';

interface NotOpenProps {
  study: Pick<StudyText, 'recruiter'>;
  state: 'paused' | 'closed' | 'full';
  /** Continues an earlier session; null if there can be none. */
  onGoOn: (() => void) | null;
}

export function NotOpen({ study, state, onGoOn }: NotOpenProps) {
  const goOn = onGoOn !== null && <GoOn quiet={study.recruiter !== null} onClick={onGoOn} />;
  switch (state) {
    case 'paused':
      return (
        <Notice title={<Trans>This study is taking a short break</Trans>}>
          <p>
            <Trans>Please come back a little later. Thank you for your interest.</Trans>
          </p>
          <WayBack study={study} end="closed" />
          {goOn}
        </Notice>
      );
    case 'closed':
      return (
        <Notice title={<Trans>This study has ended</Trans>}>
          <p>
            <Trans>It no longer accepts answers. Thank you for your interest.</Trans>
          </p>
          <WayBack study={study} end="closed" />
          {goOn}
        </Notice>
      );
    case 'full':
      return (
        <Notice title={<Trans>This study has all the participants it needs</Trans>}>
          <p>
            <Trans>Thank you for your interest.</Trans>
          </p>
          {study.recruiter === null && (
            <p>
              <Trans>If somebody stops early, a place becomes free. This page checks for a free place every minute, and then shows the study.</Trans>
            </p>
          )}
          <WayBack study={study} end="full" />
          {goOn}
        </Notice>
      );
  }
}

/** `quiet`: less prominent than the way back to a recruiter. */
function GoOn({ quiet, onClick }: { quiet: boolean; onClick: () => void }) {
  return (
    <>
      <p>
        <Trans>It does not accept new participants. If you have already started, you may be able to continue.</Trans>
      </p>
      <Action quiet={quiet} onClick={onClick}>
        <Trans>I have already started</Trans>
      </Action>
    </>
  );
}

/** Shown to people who have taken part before, recognised by the recruiter's id or by another link of the study in this browser. */
export function TookPart({ study }: { study: StudyText }) {
  const { contact, recruiter } = study;
  const name = recruiter?.name;
  return (
    <Notice title={<Trans>You have already taken part in this study</Trans>}>
      <p>
        <Trans>You can take part only once. Thank you for your interest.</Trans>
      </p>
      {/* participants who completed the study need the code from their last page, not the code below */}
      <p>
        {name === undefined ? (
          <Trans>
            To continue, or to see your completion code again, open your first link in the same browser as before, or write to <Contact contact={contact} />.
          </Trans>
        ) : (
          <Trans>
            If you have not returned to {name} yet, please open your first link in the same browser as before. There you can continue, and at the end return to {name} with the right code. If this is not possible, please write to <Contact contact={contact} />.
          </Trans>
        )}
      </p>
      <WayBack study={study} end="took_part" quiet when={() => <Trans>The following is only for people who did not finish the study.</Trans>} />
      <SomebodyElse />
    </Notice>
  );
}

/** Shown if a recruiter's link does not contain the participant's id, without which they could not be paid. */
export function NotSent({ study }: { study: StudyText }) {
  const { contact } = study;
  return (
    <Notice title={<Trans>Part of your link is missing</Trans>}>
      <p>
        <Trans>
          This study recruits participants through another website. The ID that this website gave you is missing from your link. Without it, nobody can confirm that you took part, or pay you.
        </Trans>
      </p>
      <p>
        <Trans>Please open the study again with the link on that website. Your session has not started yet, and nothing is lost.</Trans>
      </p>
      <WayBack study={study} end="missing_id" />
      <p>
        <Trans>
          If you see this page again and again, please write to <Contact contact={contact} />.
        </Trans>
      </p>
    </Notice>
  );
}
