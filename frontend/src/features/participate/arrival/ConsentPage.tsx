import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, use, useEffect, useRef, useState } from 'react';

import { ApiError } from '../../../shared/api/error';
import type { Invitation, Session } from '../../../shared/api/forms';
import type { createSession } from '../../../shared/api/participant';
import { activateLanguage, textIn, useLanguage } from '../../../shared/i18n/language';
import { newUuid } from '../../../shared/lib/uuid';
import { Undecodable } from '../../../shared/player/Notes';
import { useViewport } from '../../../shared/player/useViewport';
import { decodesClips } from '../../../shared/player/video/decodes';
import { useDecoding } from '../../../shared/player/video/useDecoding';
import { PageHeading } from '../../../shared/ui/page';
import { Paragraphs } from '../../../shared/ui/text';
import { Preview, Shell } from '../frame/Shell';
import { Another } from '../frame/SomebodyElse';
import { parametersOf, recruitOf } from '../recruiter/recruit';
import { Declined, WayBack } from '../recruiter/WayBack';
import { extentOf, remedyFor, thisDevice } from '../room/room';
import { HowMuch, LeftOut, RoomAdvice } from '../room/RoomAdvice';
import { prepareSession } from '../session/later';
import { NotSent, TookPart } from './notices';
import { Blocked } from './Returning';
import { StudyTerms } from './StudyTerms';

interface Props {
  slug: string;
  study: Invitation;
  /** Notice for a person who has started before. */
  lead?: ReactNode;
  /** False until it is known whether this browser has a session. */
  ready: boolean;
  /** The participant is not the person who started in this browser. */
  isAnotherPerson?: boolean;
  /** Continues as another person; only for links without recruiter. */
  onAnother: () => void;
  /** Creates the session: a participant's session, or a preview. */
  create: typeof createSession;
  onSession: (session: Session) => void;
  onNotOpen: () => void;
}

/** The wait in ms that the server asks for when many people start at once; null for other errors. */
function waitOf(error: Error | null): number | null {
  return error instanceof ApiError && error.code === 'busy' ? 1000 * Number(error.details['retry_after_s'] ?? 10) : null;
}

export function ConsentPage({ slug, study, lead, ready, isAnotherPerson = false, onAnother, create, onSession, onNotOpen }: Props) {
  const { t } = useLingui();
  const language = useLanguage();
  const viewport = useViewport();
  const extent = extentOf(study, viewport);
  const previews = use(Preview) !== null;
  const recruited = recruitOf(study, window.location.search);
  const [agreed, setAgreed] = useState(false);
  const [declined, setDeclined] = useState(false);
  const decoding = useDecoding();
  useEffect(() => {
    if (decoding !== null && decoding !== 'no') prepareSession();
  }, [decoding]);
  // the button is disabled a moment after the first click; a second click must not start a second session
  const beginning = useRef(false);
  const [beginId, setBeginId] = useState(newUuid);
  const begin = useMutation({
    mutationFn: async () => {
      // pressed before the decoding check has finished: nobody should start a study that the browser cannot play
      if (decoding === null && (await decodesClips()) === 'no') throw new Error('this browser cannot play the videos');
      return create(slug, {
        language,
        consent_version: study.consent.version,
        begin_id: beginId,
        screen: { width_px: window.innerWidth, height_px: window.innerHeight, device_pixel_ratio: window.devicePixelRatio },
        ...recruited,
        arrival: parametersOf(window.location.search),
        ...(isAnotherPerson ? { another_person: true } : {}),
      });
    },
    onSuccess: onSession,
    onSettled: () => { beginning.current = false; },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'not_open') onNotOpen();
    },
    // no session exists yet, so a retry takes nobody's place; delays are randomised
    retry: (_failures, error) => waitOf(error) !== null,
    retryDelay: (_failures, error) => (waitOf(error) ?? 0) * (1 + Math.random() / 4),
  });

  const only = study.languages.includes(language) ? undefined : study.languages[0];
  useEffect(() => {
    if (only !== undefined) void activateLanguage(only);
  }, [only]);

  const beginAnother =
    study.recruiter === null
      ? () => {
          // the consent was that of another person
          setAgreed(false);
          begin.reset();
          setBeginId(newUuid());
          onAnother();
        }
      : null;
  // a person who returns may have come with an id before; the server knows it
  const sent = study.recruiter === null || recruited.recruit !== undefined || lead !== undefined || previews;
  if (!sent || (begin.error instanceof ApiError && begin.error.code === 'recruit_missing')) {
    return (
      <Shell study={study}>
        <NotSent study={study} />
      </Shell>
    );
  }
  // the server knows the session, although this link's cookie does not name it
  if (begin.error instanceof ApiError && begin.error.code === 'already_begun') {
    return (
      <Shell study={study}>
        <Blocked study={study} />
      </Shell>
    );
  }
  if (begin.error instanceof ApiError && begin.error.code === 'already_took_part') {
    return (
      <Shell study={study}>
        <Another value={beginAnother}>
          <TookPart study={study} />
        </Another>
      </Shell>
    );
  }
  if (declined) {
    return (
      <Shell study={study}>
        <Declined study={study} onReturn={() => { setDeclined(false); }} />
      </Shell>
    );
  }
  // shown before anyone reads on, agrees and starts
  if (decoding === 'no') {
    return (
      <Shell study={study} headed>
        <PageHeading>{textIn(study.title, language)}</PageHeading>
        <Undecodable />
        <WayBack study={study} end="incompatible_device" />
      </Shell>
    );
  }
  if (extent.required.length > 0) {
    const remedy = remedyFor(extent.required, viewport, thisDevice());
    return (
      <Shell study={study} headed>
        <PageHeading>{textIn(study.title, language)}</PageHeading>
        <p>
          <strong>
            <Trans>This study needs a larger window.</Trans>
          </strong>
        </p>
        <RoomAdvice lacking={extent.required} remedy={remedy} />
        {remedy === null && (
          <p>
            <Trans>Please open the same link on a larger screen.</Trans>
          </p>
        )}
        <WayBack study={study} end="incompatible_device" />
      </Shell>
    );
  }
  return (
    <Shell study={study} headed>
      <PageHeading>{textIn(study.title, language)}</PageHeading>
      {lead}
      <HowMuch {...extent} />
      <LeftOut extent={extent} />
      <Paragraphs text={textIn(study.consent.text, language)} />
      <StudyTerms study={study} />
      <p>
        <Trans>
          You can stop at any time, and later <a href="/withdraw">withdraw and have your answers erased</a>.
        </Trans>
      </p>
      <form
        className="consent"
        onSubmit={(event) => {
          event.preventDefault();
          if (!agreed || beginning.current) return;
          beginning.current = true;
          begin.mutate();
        }}
      >
        <label className="choice choice--check">
          <input type="checkbox" checked={agreed} required onChange={(event) => { setAgreed(event.target.checked); }} />
          <span className="choice__label">{t`I have read this and agree to take part.`}</span>
        </label>
        <div className="actions">
          <button type="submit" className="button" disabled={!agreed || !ready || begin.isPending}>
            <Trans>Begin</Trans>
          </button>
          {study.recruiter !== null && (
            <button type="button" className="button button--quiet" disabled={begin.isPending} onClick={() => { setDeclined(true); }}>
              <Trans>I do not want to take part</Trans>
            </button>
          )}
        </div>
        <div role="alert">
          {begin.isPending && waitOf(begin.failureReason) !== null && (
            <p>
              <Trans>Many people are starting right now. This page will try again in a moment; please keep it open.</Trans>
            </p>
          )}
          {begin.isError && (
            <p className="field-error">
              {begin.error instanceof ApiError && begin.error.code === 'no_room' ? (
                <Trans>The study cannot be started right now, because our server has too little storage space. Please try again later with the same link.</Trans>
              ) : (
                <Trans>The study could not be started. Please try again.</Trans>
              )}
            </p>
          )}
        </div>
      </form>
    </Shell>
  );
}
