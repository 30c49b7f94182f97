import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { meKey } from '../../shared/account/useMe';
import { answer, api } from '../../shared/api/client';
import type { SessionRow } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Fault, Wait } from '../../shared/ui/page';
import { sessionsKey } from './keys';

/** List of the browsers in which the user is logged in, each with a logout button. */
export function SessionsSection() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const sessions = useQuery({ queryKey: sessionsKey, queryFn: () => answer(api.GET('/api/auth/sessions')), staleTime: 0 });
  const refresh = () => Promise.all([cache.invalidateQueries({ queryKey: sessionsKey }), cache.invalidateQueries({ queryKey: meKey })]);
  const end = useMutation({ mutationFn: (session_id: string) => answer(api.DELETE('/api/auth/sessions/{session_id}', { params: { path: { session_id } } })), onSettled: refresh });
  const endOthers = useMutation({ mutationFn: () => answer(api.DELETE('/api/auth/sessions')), onSettled: refresh });
  const error = end.error ?? endOthers.error;
  const others = sessions.data?.filter((session) => !session.here) ?? [];
  return (
    <section>
      <h2>
        <Trans>Where you are logged in</Trans>
      </h2>
      {sessions.isPending && <Wait />}
      {sessions.isError && sessions.data === undefined && <Fault error={sessions.error} onRetry={() => void sessions.refetch()} />}
      <ul className="entries" aria-label={t`Where you are logged in`}>
        {sessions.data?.map((session) => (
          <Place key={session.id} session={session} busy={end.isPending} onEnd={() => { end.mutate(session.id); }} />
        ))}
      </ul>
      {error !== null && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
      {others.length > 0 && (
        <button type="button" className="button button--quiet" disabled={endOthers.isPending} onClick={() => { endOthers.mutate(); }}>
          <Trans>Log out everywhere else</Trans>
        </button>
      )}
    </section>
  );
}

function Place({ session, busy, onEnd }: { session: SessionRow; busy: boolean; onEnd: () => void }) {
  const { t } = useLingui();
  const language = useLanguage();
  const browser = session.browser.replace(/\bother\b/g, t`unknown`);
  const since = dateTime(session.begun_at, language);
  const last = dateTime(session.seen_at, language);
  return (
    <li className="entry entry--line">
      <div>
        <strong>{browser}</strong>{' '}
        {session.here && (
          <span className="badge">
            <Trans>this browser</Trans>
          </span>
        )}
        <p className="facts">
          <Trans>
            logged in {since} · last used {last}
          </Trans>
        </p>
      </div>
      <button type="button" className="button button--quiet button--small" aria-label={t`Log out of ${browser}, logged in ${since}`} disabled={busy} onClick={onEnd}>
        <Trans>Log out</Trans>
      </button>
    </li>
  );
}
