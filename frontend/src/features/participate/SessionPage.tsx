import type { Session } from '../../shared/api/session';
import { Wait } from '../../shared/ui/Wait';
import { SessionFlow } from './SessionFlow';
import { Shell } from './Shell';
import { useOutbox } from './useOutbox';

export function SessionPage({ session }: { session: Session }) {
  const outbox = useOutbox(session.id);
  if (outbox === null) {
    return (
      <Shell study={session.study}>
        <Wait />
      </Shell>
    );
  }
  return <SessionFlow session={session} outbox={outbox} />;
}
