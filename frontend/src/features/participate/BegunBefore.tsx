import { Trans } from '@lingui/react/macro';

import type { Session } from '../../shared/api/forms';
import { Contact } from '../../shared/ui/Contact';
import { Notice } from '../../shared/ui/Notice';
import { Leftovers } from './Leftovers';
import { SomebodyElse } from './SomebodyElse';

/** For a study that goes on for nobody who left it; `sessionId` where this browser holds what was left. */
export function Blocked({ contact, sessionId }: { contact: string; sessionId?: string }) {
  return (
    <Notice title={<Trans>You have begun this study before</Trans>}>
      <p>
        <Trans>It cannot be continued after leaving it, and can be taken only once. What you answered before has been kept.</Trans>
      </p>
      <p>
        <Trans>
          If you left by accident, please write to <Contact contact={contact} />.
        </Trans>
      </p>
      <SomebodyElse />
      {sessionId !== undefined && <Leftovers sessionId={sessionId} />}
    </Notice>
  );
}

/** For a study that begins anew for whoever left it. */
export function BegunBefore({ session }: { session: Session }) {
  return (
    <div className="begun-before" role="note">
      <p>
        <Trans>You have begun this study before and did not finish it. It starts again from the beginning.</Trans>
      </p>
      <SomebodyElse />
      <Leftovers sessionId={session.id} />
    </div>
  );
}
