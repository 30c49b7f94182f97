import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import '../../shared/ui/participant.css';
import { isPassing } from '../../shared/api/error';
import { getSession } from '../../shared/api/getSession';
import { getStudy } from '../../shared/api/getStudy';
import type { Session } from '../../shared/api/session';
import { activateLanguage } from '../../shared/i18n/language';
import { useTitle } from '../../shared/ui/useTitle';
import { Wait } from '../../shared/ui/Wait';
import { BegunBefore, Blocked } from './BegunBefore';
import { ConsentPage } from './ConsentPage';
import { LoadFault, NotOpen } from './notices';
import { SessionPage } from './SessionPage';
import { Shell } from './Shell';

// a server that is being started again is back within seconds: keep asking, and say so after a while
const PATIENT = { retry: (_failures: number, error: Error) => isPassing(error) };
const SILENT_FAILURES = 3;

const goesOn = (session: Session | null | undefined) => session != null && (session.comeback ?? 'resume') === 'resume';

/** A participant's whole way: the session begun by this link goes on as the study's policy says; else the study asks for consent. */
export default function ParticipantPage({ slug }: { slug: string }) {
  const { t } = useLingui();
  useTitle(t`Study`);
  const cache = useQueryClient();
  const key = ['session', slug];
  const session = useQuery({
    queryKey: key,
    queryFn: () => {
      const current = cache.getQueryData<Session | null>(key);
      return getSession(slug, goesOn(current) ? current?.id : undefined);
    },
    ...PATIENT,
  });
  const begun = session.data ?? null;
  const study = useQuery({ queryKey: ['study', slug], queryFn: () => getStudy(slug), enabled: session.isSuccess && !goesOn(begun), ...PATIENT });

  const language = begun?.language;
  useEffect(() => {
    if (language !== undefined) void activateLanguage(language);
  }, [language]);

  if (begun !== null && goesOn(begun)) return <SessionPage key={begun.id} session={begun} />;
  if (begun?.comeback === 'block') {
    return (
      <Shell study={begun.study}>
        <Blocked contact={begun.study.contact} sessionId={begun.id} />
      </Shell>
    );
  }
  const asked = session.isSuccess ? study : session;
  const error = asked.error ?? (asked.failureCount >= SILENT_FAILURES ? asked.failureReason : null);
  if (error !== null) {
    return (
      <Shell>
        <LoadFault error={error} onRetry={() => void asked.refetch()} />
      </Shell>
    );
  }
  if (study.data === undefined) {
    return (
      <Shell>
        <Wait />
      </Shell>
    );
  }
  if (study.data.state !== 'open') {
    return (
      <Shell study={study.data}>
        <NotOpen state={study.data.state} />
      </Shell>
    );
  }
  return (
    <ConsentPage
      slug={slug}
      study={study.data}
      lead={begun === null ? undefined : <BegunBefore session={begun} />}
      onSession={(created) => { cache.setQueryData(key, created); }}
      onNotOpen={() => void Promise.all([session.refetch(), study.refetch()])}
    />
  );
}
