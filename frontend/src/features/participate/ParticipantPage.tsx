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

// a server that is being started again is back within seconds: keep asking, and say so after a while
const PATIENT = { retry: (_failures: number, error: Error) => isPassing(error) };
const SILENT_FAILURES = 3;
const FULL_ASKS_MS = 60_000;

const goesOn = (session: Session | null | undefined) => session != null && session.comeback === 'resume';

interface Props {
  slug: string;
  /** A researcher's own way, whatever the state of the study; nothing of it is stored as data. */
  preview?: boolean;
}

export default function ParticipantPage({ slug, preview = false }: Props) {
  const cache = useQueryClient();
  const key = ['session', slug, preview ? 'preview' : 'participant'];
  return (
    <Preview value={preview ? () => { cache.setQueryData(key, null); } : null}>
      <WholeWay slug={slug} preview={preview} sessionKey={key} />
    </Preview>
  );
}

/**
 * Continues the session that was started by this link as the study's resume policy says; without one, asks for consent.
 * The cookie identifies a browser, which people may share: where the link names a person, another person's session is not continued.
 */
function WholeWay({ slug, preview, sessionKey: key }: Required<Props> & { sessionKey: string[] }) {
  useNoHeldEnter();
  const cache = useQueryClient();
  // the document itself may have brought what we would ask for
  const [given] = useState(() => delivered(slug));
  const session = useQuery({
    queryKey: key,
    queryFn: async () => {
      const current = cache.getQueryData<Session | null>(key);
      if (goesOn(current)) return getSession(slug, current?.id, preview);
      const found = await getSession(slug, undefined, preview);
      if (found?.state !== 'started' || preview) return found;
      // the study may end for those who have seen a video, and a play may still be on this device only; or the last page was
      // left while it sent the last answers, and nothing is missing
      const undecided = found.answered.length === 0 || !goesOn(found);
      return undecided && (await settle(found)) ? getSession(slug) : found;
    },
    ...(given?.is_new === true ? { initialData: null } : {}),
    ...PATIENT,
  });
  const here = session.data ?? null;
  const decideAgain = () => void session.refetch();
  // people share browsers: whoever opens the link may be another one than who has begun here
  const [another, setAnother] = useState(false);
  const [returned, setReturned] = useState(false);
  // only the study says which part of the link names a person
  const { search } = window.location;
  const mayName = !preview && search !== '';
  const study = useQuery({
    queryKey: ['study', slug],
    queryFn: () => getInvitation(slug),
    // at once with the session, which most people do not have yet
    enabled: mayName || another || !goesOn(here),
    ...(given === null ? {} : { initialData: given.invitation }),
    // places of people who stop early become free again
    refetchInterval: ({ state }) => (state.data?.state === 'full' ? FULL_ASKS_MS : false),
    ...PATIENT,
  });
  const recruit = mayName && study.data !== undefined ? recruitOf(study.data, search).recruit : undefined;
  // for browsers that remember nothing
  const [created, setCreated] = useState<string | null>(null);
  const isTheirs = (one: Session) =>
    one.id === created || !mayName || (study.data !== undefined && (recruit === undefined || wasRecruitedAs(one.id, recruit.id)));
  const begun = here !== null && !another && isTheirs(here) ? here : null;
  // while they were asked who they are, answers that were left here before may have arrived
  const goOn = () => void session.refetch().then(() => { setReturned(true); });
  const somebodyElse = begun?.may_begin_anew ? () => { setAnother(true); } : null;
  const [openedAtMs] = useState(() => Date.now());
  const [insists, setInsists] = useState(false);

  const language = begun?.language;
  useEffect(() => {
    // unless the person has chosen another one
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
  // people read what the document shows already, while we ask whether they have begun
  if (study.data === undefined || (!session.isSuccess && given?.shown !== true)) {
    return (
      <Shell>
        <Wait />
      </Shell>
    );
  }
  if (study.data.state !== 'open' && !preview && !insists) {
    // what was begun may go on whatever the state; the server knows, by the cookie or by the recruiter's id
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
        anew={another}
        ready={session.isSuccess}
        onAnother={() => { setAnother(true); }}
        create={preview ? createPreview : createSession}
        onSession={(one) => {
          if (recruit !== undefined) rememberRecruit(one.id, recruit.id);
          setCreated(one.id);
          setAnother(false);
          cache.setQueryData(key, one);
        }}
        onNotOpen={() => {
          setInsists(false);
          void Promise.all([session.refetch(), study.refetch()]);
        }}
      />
    </Another>
  );
}

/** A key that is held down presses one button, and not the one that the next page puts under the focus. */
function useNoHeldEnter(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.repeat && event.key === 'Enter') event.preventDefault();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => { removeEventListener('keydown', onKey, { capture: true }); };
  }, []);
}
