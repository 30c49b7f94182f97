import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api } from '../../shared/api/client';
import type { Role } from '../../shared/api/contract.gen';
import { Fault } from '../../shared/ui/Fault';
import { Wait } from '../../shared/ui/Wait';
import { TokenForm } from './TokenForm';
import { TokenRow } from './TokenRow';

export const tokensKey = ['tokens'];

export function TokensSection({ role }: { role: Role }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const tokens = useQuery({ queryKey: tokensKey, queryFn: () => answer(api.GET('/api/auth/tokens')), staleTime: 0 });
  const refresh = () => cache.invalidateQueries({ queryKey: tokensKey });
  const revoke = useMutation({ mutationFn: (token_id: number) => answer(api.DELETE('/api/auth/tokens/{token_id}', { params: { path: { token_id } } })), onSettled: refresh });
  return (
    <section>
      <h2>
        <Trans>Tokens for programs</Trans>
      </h2>
      <p className="prose">
        <Trans>
          A token lets a program such as <code>eyelevel push</code> do one kind of thing in your name, until it expires or you revoke it.
        </Trans>
      </p>
      {tokens.isPending && <Wait />}
      {tokens.isError && tokens.data === undefined && <Fault error={tokens.error} onRetry={() => void tokens.refetch()} />}
      {tokens.data?.length === 0 && (
        <p className="facts">
          <Trans>You have no tokens.</Trans>
        </p>
      )}
      <ul className="entries" aria-label={t`Your tokens`}>
        {tokens.data?.map((token) => (
          <TokenRow key={token.id} token={token} busy={revoke.isPending} onRevoke={() => { revoke.mutate(token.id); }} />
        ))}
      </ul>
      {revoke.error !== null && (
        <p role="alert" className="field-error">
          {revoke.error.message}
        </p>
      )}
      <TokenForm role={role} onMade={() => void refresh()} />
    </section>
  );
}
