import { Trans } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';

import { meKey } from '../../../shared/account/useMe';
import { answer, api } from '../../../shared/api/client';
import { Fault, Wait } from '../../../shared/ui/page';
import { secondFactorKey, sessionsKey } from '../keys';
import { nextPath } from '../login/nextPath';
import { RecoveryCodes } from './RecoveryCodes';
import { SetUp } from './SetUp';
import { SwitchedOn } from './SwitchedOn';

/** The second factor of the user's account: setup, new recovery codes, turning it off. */
export function SecondFactorSection({ username, isNeeded }: { username: string; isNeeded: boolean }) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const next = nextPath(useSearch());
  const [codes, setCodes] = useState<string[] | null>(null);
  const factor = useQuery({ queryKey: secondFactorKey, queryFn: () => answer(api.GET('/api/auth/second-factor')), staleTime: 0 });
  const refresh = async () => {
    await Promise.all([cache.invalidateQueries({ queryKey: secondFactorKey }), cache.invalidateQueries({ queryKey: meKey }), cache.invalidateQueries({ queryKey: sessionsKey })]);
  };
  const finish = async () => {
    await refresh();
    setCodes(null);
    if (isNeeded && next !== '/') navigate(next, { replace: true });
  };
  return (
    <section>
      <h2>
        <Trans>Second factor</Trans>
      </h2>
      {factor.isPending && <Wait />}
      {factor.isError && factor.data === undefined && <Fault error={factor.error} onRetry={() => void factor.refetch()} />}
      {codes !== null && <RecoveryCodes username={username} codes={codes} onStored={() => void finish()} />}
      {codes === null && factor.data !== undefined && (factor.data.state === 'on' ? <SwitchedOn left={factor.data.recovery_codes_left} onCodes={setCodes} onOff={() => void refresh()} /> : <SetUp isNeeded={isNeeded} onCodes={setCodes} />)}
    </section>
  );
}
