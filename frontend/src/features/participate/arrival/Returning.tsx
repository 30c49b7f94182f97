import { Trans } from '@lingui/react/macro';

import type { Session, StudyText } from '../../../shared/api/forms';
import { Action, Notice } from '../../../shared/ui/page';
import { Contact } from '../../../shared/ui/text';
import { Shell } from '../frame/Shell';
import { SomebodyElse } from '../frame/SomebodyElse';
import { Leftovers } from '../outbox/lazyLeftovers';
import { WayBack } from '../recruiter/WayBack';

/** Shown after an interruption if the study does not allow continuing. `sessionId`: the session whose unsent answers this browser still has. */
export function Blocked({ study, sessionId, onSent }: { study: StudyText; sessionId?: string; onSent?: () => void }) {
  const { contact } = study;
  return (
    <Notice title={<Trans>You have already started this study</Trans>}>
      <p>
        <Trans>You cannot continue this study after leaving it, and you can take part only once. Your earlier answers are stored.</Trans>
      </p>
      <WayBack study={study} end="took_part" />
      <p>
        <Trans>
          If you left by accident, please write to <Contact contact={contact} />.
        </Trans>
      </p>
      <SomebodyElse />
      {sessionId !== undefined && <Leftovers sessionId={sessionId} onSent={onSent} />}
    </Notice>
  );
}

/** Shown after an interruption if the study restarts from the beginning. */
export function BegunBefore({ session, onSent }: { session: Session; onSent: () => void }) {
  return (
    <div className="begun-before" role="note">
      <p>
        <Trans>You started this study before and did not finish it. It starts again from the beginning.</Trans>
      </p>
      <SomebodyElse />
      <Leftovers sessionId={session.id} onSent={onSent} />
    </div>
  );
}

/** Asks whether the same person continues, before a session continues in a browser that people may share. */
export function ComeBackPage({ session, onGoOn }: { session: Session; onGoOn: () => void }) {
  return (
    <Shell study={session.study}>
      <Notice title={<Trans>Welcome back</Trans>}>
        <p>
          <Trans>This study was started in this browser and is not finished yet. If that was you, continue where you left off.</Trans>
        </p>
        <Action onClick={onGoOn}>
          <Trans>Continue</Trans>
        </Action>
        <SomebodyElse leaves />
        <Leftovers sessionId={session.id} />
      </Notice>
    </Shell>
  );
}
