import '../../shared/ui/participant.css';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { delivered } from '../../shared/api/delivered';
import { isPassing } from '../../shared/api/error';
import type { Session } from '../../shared/api/forms';
import { createPreview, createSession, getInvitation, getSession } from '../../shared/api/participant';
import { activateLanguage, chosenLanguage } from '../../shared/i18n/language';
import { LanguageSwitch } from '../../shared/ui/LanguageSwitch';
import { Wait } from '../../shared/ui/page';
import { ConsentPage } from './arrival/ConsentPage';
import { NotOpen } from './arrival/notices';
import { BegunBefore, Blocked, ComeBackPage } from './arrival/Returning';
import { LoadFault } from './frame/LoadFault';
import { Preview, Shell } from './frame/Shell';
import { Another } from './frame/SomebodyElse';
import { recruitOf, rememberRecruit, wasRecruitedAs } from './recruiter/recruit';
import { LaterSession, settle } from './session/later';
import { isReload } from './session/reload';

// a restarting server is back within seconds: keep retrying, and show an error after a while
const PATIENT = { retry: (_failures: number, error: Error) => isPassing(error) };
const SILENT_FAILURES = 3;
const FULL_ASKS_MS = 60_000;

const goesOn = (session: Session | null | undefined) => session != null && session.comeback === 'resume';

interface Props {
  slug: string;
  /** A researcher's preview, in any state of the study, without study data. */
  preview?: boolean;
}

export default function ParticipantPage({ slug, preview = false }: Props) {
  const cache = useQueryClient();
  const key = ['session', slug, preview ? 'preview' : 'participant'];
  return (
    <Preview value={preview ? () => { cache.setQueryData(key, null); } : null}>
      <ParticipantFlow slug={slug} preview={preview} sessionKey={key} />
    </Preview>
  );
}

/**
 * Continues the session that was started with this link, following the study's resume policy; without a session, asks for consent.
 * The cookie identifies a browser, which people may share. If the link names a person, another person's session is not continued.
 */
function ParticipantFlow({ slug, preview, sessionKey: key }: Required<Props> & { sessionKey: string[] }) {
  useNoHeldEnter();
  const cache = useQueryClient();
  // the document may already contain the data that the page would request
  const [embedded] = useState(() => delivered(slug));
  const session = useQuery({
    queryKey: key,
    queryFn: async () => {
      const current = cache.getQueryData<Session | null>(key);
      if (goesOn(current)) return getSession(slug, current?.id, preview);
      const loaded = await getSession(slug, undefined, preview);
      if (loaded?.state !== 'started' || preview) return loaded;
      // a study may end once a video was seen, and that play may be stored only on this device; or the last page was closed
      // while it sent the last answers
      const undecided = loaded.answered.length === 0 || !goesOn(loaded);
      return undecided && (await settle(loaded)) ? getSession(slug) : loaded;
    },
    ...(embedded?.is_new === true ? { initialData: null } : {}),
    ...PATIENT,
  });
  const here = session.data ?? null;
  const decideAgain = () => void session.refetch();
  // people share browsers: another person may have started the session in this browser
  const [another, setAnother] = useState(false);
  const [returned, setReturned] = useState(false);
  // only the study defines which parameter of the link names a person
  const { search } = window.location;
  const mayName = !preview && search !== '';
  const study = useQuery({
    queryKey: ['study', slug],
    queryFn: () => getInvitation(slug),
    // in parallel with the session request, because most people have no session yet
    enabled: mayName || another || !goesOn(here),
    ...(embedded === null ? {} : { initialData: embedded.invitation }),
    // a place becomes free when a participant stops early
    refetchInterval: ({ state }) => (state.data?.state === 'full' ? FULL_ASKS_MS : false),
    ...PATIENT,
  });
  const recruit = mayName && study.data !== undefined ? recruitOf(study.data, search).recruit : undefined;
  // for browsers without storage
  const [created, setCreated] = useState<string | null>(null);
  const isTheirs = (candidate: Session) =>
    candidate.id === created || !mayName || (study.data !== undefined && (recruit === undefined || wasRecruitedAs(candidate.id, recruit.id)));
  const begun = here !== null && !another && isTheirs(here) ? here : null;
  // unsent answers of an earlier page may have arrived in the meantime
  const goOn = () => void session.refetch().then(() => { setReturned(true); });
  const somebodyElse = begun?.allows_another_person ? () => { setAnother(true); } : null;
  const [openedAtMs] = useState(() => Date.now());
  const [insists, setInsists] = useState(false);

  const language = begun?.language;
  useEffect(() => {
    // unless the person has chosen another language
    if (language !== undefined) void activateLanguage(chosenLanguage() ?? language);
  }, [language]);

  if (begun !== null && goesOn(begun)) {
    const asks = somebodyElse !== null && begun.state === 'started' && begun.id !== created && !returned && !isReload(begun.id, openedAtMs);
    return (
      <Another value={somebodyElse}>
        {asks ? <ComeBackPage session={begun} onGoOn={goOn} /> : <LaterSession key={begun.id} session={begun} />}
      </Another>
    );
  }
  if (begun?.comeback === 'block') {
    return (
      <Another value={somebodyElse}>
        <Shell study={begun.study}>
          <Blocked study={begun.study} sessionId={begun.id} onSent={decideAgain} />
        </Shell>
      </Another>
    );
  }
  const asked = session.isSuccess ? study : session;
  const error = asked.error ?? (asked.failureCount >= SILENT_FAILURES ? asked.failureReason : null);
  if (error !== null) {
    return (
      <Shell aside={<LanguageSwitch />}>
        <LoadFault error={error} onRetry={() => void asked.refetch()} />
      </Shell>
    );
  }
  // people read the text in the document while the page checks for a session
  if (study.data === undefined || (!session.isSuccess && embedded?.shown !== true)) {
    return (
      <Shell>
        <Wait />
      </Shell>
    );
  }
  if (study.data.state !== 'open' && !preview && !insists) {
    // a started session may continue in any state; the server finds it by the cookie or the recruiter's id
    const mayHaveBegun = begun !== null || recruit !== undefined;
    return (
      <Shell study={study.data}>
        <NotOpen study={study.data} state={study.data.state} onGoOn={mayHaveBegun ? () => { setInsists(true); } : null} />
      </Shell>
    );
  }
  return (
    <Another value={somebodyElse}>
      <ConsentPage
        slug={slug}
        study={study.data}
        lead={begun === null ? undefined : <BegunBefore session={begun} onSent={decideAgain} />}
        isAnotherPerson={another}
        ready={session.isSuccess}
        onAnother={() => { setAnother(true); }}
        create={preview ? createPreview : createSession}
        onSession={(started) => {
          if (recruit !== undefined) rememberRecruit(started.id, recruit.id);
          setCreated(started.id);
          setAnother(false);
          cache.setQueryData(key, started);
        }}
        onNotOpen={() => {
          setInsists(false);
          void Promise.all([session.refetch(), study.refetch()]);
        }}
      />
    </Another>
  );
}

/** Prevents a held Enter key from pressing the button that the next page focuses. */
function useNoHeldEnter(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.repeat && event.key === 'Enter') event.preventDefault();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => { removeEventListener('keydown', onKey, { capture: true }); };
  }, []);
}
