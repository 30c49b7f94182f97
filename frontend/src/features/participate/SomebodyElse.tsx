import { Trans } from '@lingui/react/macro';
import { type ReactNode, use, useState } from 'react';

import { Another } from './another';

/** For people who share a browser. Where `leaves` something that could go on, it asks first; `children` say what to mind. */
export function SomebodyElse({ leaves = false, children }: { leaves?: boolean; children?: ReactNode }) {
  const begin = use(Another);
  const [asked, setAsked] = useState(false);
  if (begin === null) return null;
  if (asked) {
    return (
      <div className="somebody-else" role="group">
        <p>
          <Trans>The session that was begun here cannot be continued afterwards, and its answers will not be used.</Trans>
        </p>
        <div className="actions">
          <button type="button" className="button button--grave" onClick={begin}>
            <Trans>Leave it and begin anew</Trans>
          </button>
          <button type="button" className="button button--quiet" onClick={() => { setAsked(false); }}>
            <Trans>Cancel</Trans>
          </button>
        </div>
      </div>
    );
  }
  return (
    <div className="somebody-else">
      {children}
      <button type="button" className="button button--quiet" onClick={() => { if (leaves) setAsked(true); else begin(); }}>
        <Trans>Somebody else takes part</Trans>
      </button>
    </div>
  );
}
