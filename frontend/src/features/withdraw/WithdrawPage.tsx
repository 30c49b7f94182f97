import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { answer, api } from '../../shared/api/client';
import type { Promises, WithdrawalIn } from '../../shared/api/contract.gen';
import { ApiError } from '../../shared/api/error';
import { forgetSession } from '../../shared/outbox/forgetSession';
import { Fault, Wait } from '../../shared/ui/page';
import { CodeForm } from './CodeForm';
import { Confirm } from './Confirm';
import { Done } from './Done';
import { Frame } from './Frame';
import { Promised } from './Promised';

/** A participant, identified by session or code, with the consent texts that they agreed to. */
interface Candidate {
  who: WithdrawalIn;
  promises: Promises;
}

/** The consent texts of this browser's sessions; null if the browser has no session. */
async function getByCookie(): Promise<Promises | null> {
  try {
    return await answer(api.GET('/api/withdrawals/own'));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no_session') return null;
    throw error;
  }
}

/** Withdrawal in steps: completion code, consent texts, confirmation, result. */
export default function WithdrawPage() {
  const byCookie = useQuery({ queryKey: ['withdrawal', 'own'], queryFn: getByCookie });
  const [byCode, setByCode] = useState<Candidate | null>(null);
  const [typing, setTyping] = useState(false);
  const [sure, setSure] = useState(false);
  const erase = useMutation({
    mutationFn: async ({ who, promises }: Candidate) => {
      const done = await answer(api.POST('/api/withdrawals', { body: who }));
      // a code does not reveal the session id, because exports identify answers by it
      if (promises.session_id !== null) await forgetSession(promises.session_id);
      return done;
    },
  });

  if (byCookie.isError) {
    return (
      <Frame>
        <Fault error={byCookie.error} onRetry={() => void byCookie.refetch()} />
      </Frame>
    );
  }
  if (byCookie.data === undefined) {
    return (
      <Frame>
        <Wait />
      </Frame>
    );
  }
  const mine = byCookie.data?.session_id == null ? null : { who: { session_id: byCookie.data.session_id }, promises: byCookie.data };
  const candidate: Candidate | null = byCode ?? (typing ? null : mine);
  const contact = candidate?.promises.promises[0]?.contact ?? null;

  if (erase.data !== undefined) {
    return (
      <Frame>
        <Done done={erase.data} contact={contact} />
      </Frame>
    );
  }
  if (candidate === null) {
    return (
      <Frame>
        <CodeForm
          onFound={(completionCode, promises) => {
            setByCode({ who: { completion_code: completionCode }, promises });
            setTyping(false);
          }}
        />
      </Frame>
    );
  }
  return (
    <Frame>
      {sure ? (
        <Confirm terms={candidate.promises} pending={erase.isPending} error={erase.error} onErase={() => { erase.mutate(candidate); }} onKeep={() => { setSure(false); }} />
      ) : (
        <Promised terms={candidate.promises} onGo={() => { setSure(true); }} onOther={() => { setByCode(null); setTyping(true); }} />
      )}
    </Frame>
  );
}
