import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';

import { shortDigest } from '../../shared/i18n/format';

const digest = /^[0-9a-f]{64}$/;

/** The details of an audit event: known words translated, names unchanged, digests shortened. */
export function Facts({ details }: { details: Record<string, unknown> }) {
  const word = useWord();
  const count = useCount();
  const facts = Object.entries(details)
    // `by` is shown as the actor; id and time of a deletion are for the ledger of erasures
    .filter(([key, value]) => value !== null && !['by', 'deletion', 'at'].includes(key))
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      if (digest.test(text)) return shortDigest(text);
      if (typeof value === 'number') return count(key, value);
      if (typeof value !== 'string') return `${key} ${text}`;
      if (key === 'to') return `→ ${word(text)}`;
      return ['did', 'role', 'from', 'level'].includes(key) ? word(text) : text;
    });
  return facts.length === 0 ? null : <span className="facts">{` (${facts.join(', ').replaceAll(', →', ' →')})`}</span>;
}

/** Returns a function that writes a count with its unit; an unknown key is shown as recorded. */
function useCount(): (key: string, count: number) => string {
  const { t } = useLingui();
  return (key, count) => {
    switch (key) {
      case 'votes':
        return t`${plural(count, { one: '# vote', other: '# votes' })}`;
      case 'sessions':
        return t`${plural(count, { one: '# session', other: '# sessions' })}`;
      case 'participants':
        return t`${plural(count, { one: '# participant', other: '# participants' })}`;
      case 'links':
        return t`${plural(count, { one: '# link', other: '# links' })}`;
      case 'snapshots':
        return t`${plural(count, { one: '# snapshot', other: '# snapshots' })}`;
      case 'exports':
        return t`${plural(count, { one: '# export', other: '# exports' })}`;
      case 'recruiter_ids':
        return t`${plural(count, { one: '# ID', other: '# IDs' })}`;
      case 'codes_left':
        return t`${plural(count, { one: '# recovery code left', other: '# recovery codes left' })}`;
      case 'logins':
        return t`${plural(count, { one: '# browser', other: '# browsers' })}`;
      default:
        return `${key} ${String(count)}`;
    }
  };
}

function useWord(): (text: string) => string {
  const { t } = useLingui();
  const words: Record<string, string> = {
    made: t`created`,
    closed: t`closed`,
    opened: t`opened`,
    open: t`open`,
    paused: t`paused`,
    // recorded by older versions, which created passwords instead of links
    'new password': t`new password`,
    'own password': t`own password changed`,
    'reset link': t`link for a new password`,
    'password by link': t`password set by link`,
    'second factor on': t`second factor turned on`,
    'second factor off': t`second factor turned off`,
    'recovery codes': t`new recovery codes`,
    'recovery code used': t`recovery code used`,
    'logged out': t`logged out everywhere`,
    shared: t`shared`,
    unshared: t`no longer shared`,
    revoked: t`revoked`,
    read: t`read`,
    edit: t`edit`,
    guest: t`guest`,
    researcher: t`researcher`,
    admin: t`admin`,
  };
  return (text) => words[text] ?? text;
}
