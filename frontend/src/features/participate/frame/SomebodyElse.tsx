import { Trans } from '@lingui/react/macro';
import { createContext, type ReactNode, use, useState } from 'react';

/** Starts a session for another person in this browser; null if a recruiter's id identifies people. */
export const Another = createContext<(() => void) | null>(null);

/** Lets another person start in a shared browser. With `leaves`, asks for confirmation, because the current session ends. `children` are shown above the button. */
export function SomebodyElse({ leaves = false, children }: { leaves?: boolean; children?: ReactNode }) {
  const begin = use(Another);
  const [asked, setAsked] = useState(false);
  if (begin === null) return null;
  if (asked) {
    return (
      <div className="somebody-else" role="group">
        <p>
          <Trans>The session in this browser can then no longer be continued, and its answers are not used.</Trans>
        </p>
        <div className="actions">
          <button type="button" className="button button--grave" onClick={begin}>
            <Trans>Discard that session and start again</Trans>
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
        <Trans>Take part as another person</Trans>
      </button>
    </div>
  );
}
