import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { Session } from '../../../shared/api/forms';
import { backoffMs } from '../../../shared/lib/backoff';
import type { Outbox } from '../../../shared/outbox/outbox';
import { Wait } from '../../../shared/ui/page';
import { loadKinds } from '../../../trials/registry';
import { LoadFault } from '../frame/LoadFault';
import { Shell } from '../frame/Shell';
import { useOutbox, useOutboxState } from '../outbox/useOutbox';
import { Elsewhere, useFrontTab } from './frontTab';
import { noteSign } from './reload';
import { SessionFlow } from './SessionFlow';

const TRIES = 3;

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

/** Fetches the code of these kinds of trial. */
function useKinds(of: readonly { kind: string }[]): { ready: boolean; error: Error | null } {
  const names = [...new Set(of.map(({ kind }) => kind))].sort();
  const query = useQuery({
    queryKey: ['kinds', ...names],
    queryFn: async () => {
      await loadKinds(names);
      return true;
    },
    retry: TRIES - 1,
    retryDelay: (failures) => backoffMs(failures + 1, Math.random()),
  });
  return { ready: query.isSuccess, error: query.error };
}
