import { Trans, useLingui } from '@lingui/react/macro';

import type { TokenRow } from '../../shared/api/contract.gen';
import { date, dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { useScopeWords } from './useScopeWords';

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
