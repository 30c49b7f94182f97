import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';

import { roles } from '../../../shared/account/useMe';
import { answer, api } from '../../../shared/api/client';
import type { AccountRow, Role } from '../../../shared/api/contract.gen';
import { dateTime } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { Secret } from '../../../shared/ui/CopyButton';
import { RoleOptions } from './PersonForm';

/** One account: its role, closing it, and a new password for who lost theirs. */
export function PersonRow({ person, onChanged }: { person: AccountRow; onChanged: () => void }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { username, is_active: isActive } = person;
  const role = useMutation({ mutationFn: (to: Role) => answer(api.POST('/api/accounts/{username}/role', { params: { path: { username } }, body: { role: to } })), onSettled: onChanged });
  const active = useMutation({ mutationFn: () => answer(api.POST('/api/accounts/{username}/active', { params: { path: { username } }, body: { active: !isActive } })), onSettled: onChanged });
  const password = useMutation({ mutationFn: () => answer(api.POST('/api/accounts/{username}/password', { params: { path: { username } } })) });
  const last = person.last_login === null ? null : dateTime(person.last_login, language);
  const error = role.error ?? active.error ?? password.error;
  return (
    <li className="entry entry--line">
      <div>
        <strong>{username}</strong> {!isActive && <span className="badge">{t`closed`}</span>}
        <p className="facts">{last === null ? <Trans>never logged in</Trans> : <Trans>last logged in {last}</Trans>}</p>
      </div>
      <div className="entry__actions">
        <select aria-label={t`Role of ${username}`} value={person.role} disabled={role.isPending || !isActive} onChange={(event) => { role.mutate(v.parse(v.picklist(roles), event.target.value)); }}>
          <RoleOptions />
        </select>
        <button type="button" className="button button--quiet button--small" aria-label={t`New password for ${username}`} disabled={password.isPending} onClick={() => { password.mutate(); }}>
          <Trans>New password</Trans>
        </button>
        <button
          type="button"
          className="button button--quiet button--small"
          aria-label={isActive ? t`Close the account ${username}` : t`Open the account ${username} again`}
          disabled={active.isPending}
          onClick={() => { active.mutate(); }}
        >
          {isActive ? <Trans>Close</Trans> : <Trans>Open again</Trans>}
        </button>
      </div>
      {error !== null && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
      {password.data !== undefined && <Secret label={<Trans>The new password of {username}, shown only once:</Trans>} text={password.data.password} />}
    </li>
  );
}
