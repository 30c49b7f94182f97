import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { Session } from '../../shared/api/forms';
import type { Outbox } from '../../shared/outbox/outbox';
import { Wait } from '../../shared/ui/page';
import { Elsewhere, LoadFault } from './notices';
import { noteSign } from './reload';
import { SessionFlow } from './SessionFlow';
import { Shell } from './Shell';
import { useFrontTab } from './useFrontTab';
import { useKinds } from './useKinds';
import { useOutbox, useOutboxState } from './useOutbox';

/** Everything after consent; its code comes while people read. */
export default function SessionPage({ session }: { session: Session }) {
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
  return <InOneTab session={session} outbox={outbox} />;
}

/** Two tabs or browsers may show one session: the person goes on in one of them. */
function InOneTab({ session, outbox }: { session: Session; outbox: Outbox }) {
  const cache = useQueryClient();
  const { elsewhere, takeOver } = useFrontTab(session.id);
  const { overtaken } = useOutboxState(outbox);
  useEffect(() => {
    const onLeave = () => { noteSign(session.id); };
    addEventListener('pagehide', onLeave);
    return () => { removeEventListener('pagehide', onLeave); };
  }, [session.id]);
  // how many late votes the person has been told of
  const [told, setTold] = useState(0);
  const goOn = () => {
    // what was answered elsewhere is behind us here too
    void Promise.all([outbox.refresh(), cache.invalidateQueries({ queryKey: ['session'] })]).then(() => {
      setTold(overtaken);
      takeOver();
    });
  };
  if (session.state !== 'completed' && (elsewhere || overtaken > told)) {
    return (
      <Shell study={session.study}>
        <Elsewhere onGoOn={goOn} />
      </Shell>
    );
  }
  return <SessionFlow session={session} outbox={outbox} />;
}
