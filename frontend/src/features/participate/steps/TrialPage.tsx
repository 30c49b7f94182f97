import { Trans } from '@lingui/react/macro';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import type { Session, Trial } from '../../../shared/api/forms';
import { postPlayFailure } from '../../../shared/api/participant';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import type { Outbox } from '../../../shared/outbox/outbox';
import { leastScale, needsOf } from '../../../shared/player/evidence/scale';
import { type Stage, StageContext } from '../../../shared/player/stage';
import { useViewport } from '../../../shared/player/useViewport';
import { Action, Notice, PageHeading } from '../../../shared/ui/page';
import { Contact } from '../../../shared/ui/text';
import type { PreparedTrial, TrialProps } from '../../../trials/kind';
import { trialKind } from '../../../trials/registry';
import { sendLeftPlay } from '../outbox/leftPlay';
import { NoDevice } from '../recruiter/WayBack';
import { NarrowPage } from '../room/NarrowPage';
import { isSkippable, lackingOf, neededFor } from '../room/room';
import { type Done, type Step, tooNarrow } from './flow';
import { TrialMemory } from './trialMemory';

interface Props {
  session: Session;
  done: Done;
  step: Extract<Step, { page: 'trial' }>;
  outbox: Outbox;
  /** A play of this trial has started. It may continue and be answered in any window size; its smallest scale is recorded. */
  begun: boolean;
  onBegun: (position: number | null) => void;
  onAnswered: (position: number) => void;
  onSkip: (positions: readonly number[]) => void;
}

export function TrialPage({ session, done, step, outbox, begun, onBegun, onAnswered, onSkip }: Props) {
  const language = useLanguage();
  const viewport = useViewport();
  const { trial, number, total } = step;
  const prepared = useMemo(() => prepare(trial), [trial]);
  // a second press of Enter while the vote is being stored must not send a second vote
  const sent = useRef(false);
  const [memory] = useState(() => new TrialMemory(session.id, trial.position));
  useEffect(() => memory.start(), [memory]);
  const [playsBefore] = useState(memory.seen.plays);
  const onPlaying = useCallback<Stage['onPlaying']>((playing, at, seen) => {
    memory.playing(playing, at, seen);
    onBegun(playing || seen.plays > playsBefore ? trial.position : null);
  }, [memory, playsBefore, onBegun, trial.position]);

  const onFault = useCallback<Stage['onFault']>((fault) => {
    void postPlayFailure(session.id, trial.position, fault).catch(() => undefined);
  }, [session.id, trial.position]);

  const skipUnplayable: Stage['onSkip'] = async (fault) => {
    // the server allows skipping a trial whose clip was reported, and counts each trial once
    await postPlayFailure(session.id, trial.position, fault);
    memory.forget();
    onSkip([trial.position]);
  };

  if (prepared === null) return <UnknownKind contact={session.study.contact} />;
  const lacking = lackingOf(trial, viewport);
  if (lacking !== null && !begun) {
    const positions = tooNarrow(session, done, (other) => lackingOf(other, viewport) === null || !isSkippable(session.study, other.kind));
    const skip = () => {
      memory.forget();
      onSkip(positions);
    };
    return <NarrowPage study={session.study} count={positions.length} lacking={lacking} onSkip={isSkippable(session.study, trial.kind) ? skip : null} />;
  }
  const needed = lacking === null ? null : neededFor([lacking], viewport);
  const least = leastScale(needsOf(trial.params), viewport.device_pixel_ratio);

  const onPlay: TrialProps['onPlay'] = (play) => {
    const body = { position: trial.position, ...play };
    if (play.evidence.complete) void outbox.hold(body);
    else void sendLeftPlay(outbox, session.id, body);
  };
  const onAnswer: TrialProps['onAnswer'] = (answer) => {
    const { position, kind, kind_version, clip } = trial;
    const body = { position, clip_digest: clip.digest, kind, kind_version, ...answer, away: memory.away.spans(), play: null };
    if (sent.current) return;
    sent.current = true;
    // the next trial is shown only after this vote is stored
    void outbox.add({ kind: 'vote', body }).then(() => {
      memory.forget();
      onAnswered(trial.position);
    });
  };
  const context = textIn(trial.context.label, language);
  return (
    <>
      <div className="visually-hidden">
        <PageHeading>
          <Trans>
            Video {number} of {total}
          </Trans>
        </PageHeading>
      </div>
      <StageContext value={{ answerFrom: trial.answer_from, seenBefore: memory.seen, needed, least, onPlaying, onFault, onSkip: skipUnplayable, contact: session.study.contact, wayOut: <NoDevice study={session.study} /> }}>
        <prepared.View clip={trial.clip} context={context} language={language} onPlay={onPlay} onAnswer={onAnswer} />
      </StageContext>
    </>
  );
}

function prepare(trial: Trial): PreparedTrial | null {
  try {
    return trialKind(trial.kind, trial.kind_version)?.prepare(trial.params) ?? null;
  } catch (error) {
    console.error(`trial ${String(trial.position)} has parameters that kind ${trial.kind} does not take`, error);
    return null;
  }
}

/** Shown for a trial kind or version that this page does not have, usually because the platform has been updated. */
function UnknownKind({ contact }: { contact: string }) {
  return (
    <Notice title={<Trans>This page is out of date</Trans>}>
      <p>
        <Trans>Please reload it. Your answers so far are kept.</Trans>
      </p>
      <Action onClick={() => { location.reload(); }}>
        <Trans>Reload</Trans>
      </Action>
      <p>
        <Trans>
          If you see this page again and again, please write to <Contact contact={contact} />.
        </Trans>
      </p>
    </Notice>
  );
}
