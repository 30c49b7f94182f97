import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api } from '../../shared/api/client';
import type { Role, TokenRow } from '../../shared/api/contract.gen';
import { date, dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Fault, Wait } from '../../shared/ui/page';
import { TokenForm, useScopeWords } from './TokenForm';

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
          A token lets a program such as <code>eyelevel push</code> act in your name for one purpose, until the token expires or you revoke it.
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

export function TokenRow({ token, busy, onRevoke }: { token: TokenRow; busy: boolean; onRevoke: () => void }) {
  const { t } = useLingui();
  const words = useScopeWords();
  const language = useLanguage();
  const { name } = token;
  const end = date(token.expires_at, language);
  const last = token.last_used_at === null ? null : dateTime(token.last_used_at, language);
  const isOver = new Date(token.expires_at) <= new Date();
  return (
    <li className="entry entry--line">
      <div>
        <strong>{name}</strong> <span className="badge">{words[token.scope]}</span>
        <p className="facts">
          {isOver ? <Trans>expired on {end}</Trans> : <Trans>expires on {end}</Trans>} · {last === null ? <Trans>never used</Trans> : <Trans>last used {last}</Trans>}
        </p>
      </div>
      <button type="button" className="button button--quiet button--small" aria-label={t`Revoke ${name}`} disabled={busy} onClick={onRevoke}>
        <Trans>Revoke</Trans>
      </button>
    </li>
  );
}
