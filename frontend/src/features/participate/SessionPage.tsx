import type { Session } from '../../shared/api/forms';
import { Wait } from '../../shared/ui/page';
import { LoadFault } from './notices';
import { SessionFlow } from './SessionFlow';
import { Shell } from './Shell';
import { useKinds } from './useKinds';
import { useOutbox } from './useOutbox';

export function SessionPage({ session }: { session: Session }) {
  const outbox = useOutbox(session.id);
  const kinds = useKinds(session.trials);
  if (kinds.error !== null) {
    return (
      <Shell study={session.study}>
        {/* some browsers remember a script that failed until the page is loaded again */}
        <LoadFault error={kinds.error} onRetry={() => { location.reload(); }} />
      </Shell>
    );
  }
  if (outbox === null || !kinds.ready) {
    return (
      <Shell study={session.study}>
        <Wait />
      </Shell>
    );
  }
  return <SessionFlow session={session} outbox={outbox} />;
}
