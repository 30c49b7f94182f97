import { Trans } from '@lingui/react/macro';

import type { Session } from '../../shared/api/forms';
import { Notice } from '../../shared/ui/Notice';
import { Leftovers } from './Leftovers';
import { Shell } from './Shell';
import { SomebodyElse } from './SomebodyElse';

/** Before a session goes on in a browser that people may share: is it the same person? */
export function ComeBackPage({ session, onGoOn }: { session: Session; onGoOn: () => void }) {
  return (
    <Shell study={session.study}>
      <Notice title={<Trans>Welcome back</Trans>}>
        <p>
          <Trans>This study was begun in this browser and is not finished yet. If that was you, go on where you stopped.</Trans>
        </p>
        <div className="actions">
          <button type="button" className="button" onClick={onGoOn}>
            <Trans>Continue</Trans>
          </button>
        </div>
        <SomebodyElse leaves />
        <Leftovers sessionId={session.id} />
      </Notice>
    </Shell>
  );
}
