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

/** All pages after consent. The code is loaded while people read the consent text. */
export default function SessionPage({ session }: { session: Session }) {
  const outbox = useOutbox(session.id);
  const kinds = useKinds(session.trials);
  if (kinds.error !== null) {
    return (
      <Shell study={session.study}>
        {/* some browsers cache a failed script until the page is reloaded */}
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

/** Lets the person continue in one tab if several tabs or browsers show the same session. */
function InOneTab({ session, outbox }: { session: Session; outbox: Outbox }) {
  const cache = useQueryClient();
  const { elsewhere, takeOver } = useFrontTab(session.id);
  const { overtaken } = useOutboxState(outbox);
  useEffect(() => {
    const onLeave = () => { noteSign(session.id); };
    addEventListener('pagehide', onLeave);
    return () => { removeEventListener('pagehide', onLeave); };
  }, [session.id]);
  // number of late votes that the person has been informed of
  const [acknowledged, setAcknowledged] = useState(0);
  const goOn = () => {
    // include the answers given in the other tab
    void Promise.all([outbox.refresh(), cache.invalidateQueries({ queryKey: ['session'] })]).then(() => {
      setAcknowledged(overtaken);
      takeOver();
    });
  };
  if (session.state !== 'completed' && (elsewhere || overtaken > acknowledged)) {
    return (
      <Shell study={session.study}>
        <Elsewhere onGoOn={goOn} />
      </Shell>
    );
  }
  return <SessionFlow session={session} outbox={outbox} />;
}

/** Loads the code of these trial kinds. */
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
