import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as v from 'valibot';

import { roles, useMe } from '../../../shared/account/useMe';
import { answer, api } from '../../../shared/api/client';
import type { AccountRow, Role } from '../../../shared/api/contract.gen';
import { dateTime } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { LinkOnce } from './LinkOnce';
import { OffDialog } from './OffDialog';
import { RoleOptions } from './PersonForm';

/** One account: role, closing, and resetting a lost password or second factor. */
export function PersonRow({ person, onChanged }: { person: AccountRow; onChanged: () => void }) {
  const { t } = useLingui();
  const language = useLanguage();
  const isOwn = useMe().data?.username === person.username;
  const { username, is_active: isActive } = person;
  const params = { path: { username } };
  const [asking, setAsking] = useState(false);
  const role = useMutation({ mutationFn: (to: Role) => answer(api.POST('/api/accounts/{username}/role', { params, body: { role: to } })), onSettled: onChanged });
  const active = useMutation({ mutationFn: () => answer(api.POST('/api/accounts/{username}/active', { params, body: { active: !isActive } })), onSettled: onChanged });
  const link = useMutation({ mutationFn: () => answer(api.POST('/api/accounts/{username}/reset-link', { params })) });
  const off = useMutation({ mutationFn: () => answer(api.DELETE('/api/accounts/{username}/second-factor', { params })), onSettled: onChanged });
  const logout = useMutation({ mutationFn: () => answer(api.DELETE('/api/accounts/{username}/sessions', { params })) });
  const last = person.last_login === null ? null : dateTime(person.last_login, language);
  const error = role.error ?? active.error ?? link.error ?? off.error ?? logout.error;
  return (
    <li className="entry entry--line">
      <div>
        <strong>{username}</strong> {!isActive && <span className="badge">{t`closed`}</span>} {person.second_factor && <span className="badge">{t`second factor`}</span>}
        <p className="facts">{last === null ? <Trans>never logged in</Trans> : <Trans>last logged in {last}</Trans>}</p>
      </div>
      <div className="entry__actions">
        <select aria-label={t`Role of ${username}`} value={person.role} disabled={role.isPending || !isActive} onChange={(event) => { role.mutate(v.parse(v.picklist(roles), event.target.value)); }}>
          <RoleOptions />
        </select>
        {isActive && !isOwn && (
          <>
            <RowAction label={t`Link for a new password of ${username}`} busy={link.isPending} onClick={() => { link.mutate(); }}>
              <Trans>New password</Trans>
            </RowAction>
            {person.second_factor && (
              <RowAction label={t`Turn off the second factor of ${username}`} busy={off.isPending} onClick={() => { setAsking(true); }}>
                <Trans>Turn off the second factor …</Trans>
              </RowAction>
            )}
            <RowAction label={t`Log out ${username} everywhere`} busy={logout.isPending} onClick={() => { logout.mutate(); }}>
              <Trans>Log out</Trans>
            </RowAction>
          </>
        )}
        <RowAction label={isActive ? t`Close the account ${username}` : t`Open the account ${username} again`} busy={active.isPending} onClick={() => { active.mutate(); }}>
          {isActive ? <Trans>Close</Trans> : <Trans>Open again</Trans>}
        </RowAction>
      </div>
      {error !== null && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
      <p role="status" className="entry__said">
        {logout.isSuccess && <Trans>{username} is logged out everywhere.</Trans>}
      </p>
      {link.data !== undefined && <LinkOnce username={username} link={link.data.link} />}
      {asking && (
        <OffDialog
          username={username}
          onCancel={() => { setAsking(false); }}
          onOff={() => {
            setAsking(false);
            off.mutate();
          }}
        />
      )}
    </li>
  );
}

function RowAction({ label, busy, onClick, children }: { label: string; busy: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="button button--quiet button--small" aria-label={label} disabled={busy} onClick={onClick}>
      {children}
    </button>
  );
}
