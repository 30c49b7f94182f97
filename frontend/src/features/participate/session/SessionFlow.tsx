import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { Session, Trial } from '../../../shared/api/forms';
import { clipStore } from '../../../shared/clips/useClip';
import type { Outbox } from '../../../shared/outbox/outbox';
import { leaveFullScreen } from '../../../shared/player/FullScreen';
import { useViewport } from '../../../shared/player/useViewport';
import { Shell } from '../frame/Shell';
import { Lost } from '../outbox/Lost';
import { OutboxNote } from '../outbox/OutboxNote';
import { useOutboxState } from '../outbox/useOutbox';
import { isLeftOut, lackingOf } from '../room/room';
import { ContextPage } from '../steps/ContextPage';
import { ControlPage } from '../steps/ControlPage';
import { FinishPage } from '../steps/FinishPage';
import { type Step, stepOf, wayOf } from '../steps/flow';
import { InstructionsPage } from '../steps/InstructionsPage';
import { PersonPage } from '../steps/PersonPage';
import { TrialPage } from '../steps/TrialPage';
import { useDone } from '../steps/useDone';

export function SessionFlow({ session, outbox }: { session: Session; outbox: Outbox }) {
  const cache = useQueryClient();
  const sending = useOutboxState(outbox);
  const viewport = useViewport();
  const [done, actions] = useDone(session, sending);
  // a trial whose play has started continues in any window size
  const [begun, setBegun] = useState<number | null>(null);
  const leavesOut = (trial: Trial) => trial.position !== begun && isLeftOut(session.study, trial, viewport);
  const step = stepOf(session, done, leavesOut);
  useWantedClips(wantedOf(step, session));

  const ended = step.page === 'finish';
  useEffect(() => {
    if (ended) leaveFullScreen();
  }, [ended]);

  const { study } = session;
  if (sending.lost !== null && session.state !== 'completed') {
    return (
      <Shell study={study}>
        <Lost loss={sending.lost} study={study} />
      </Shell>
    );
  }
  const note = <OutboxNote state={sending} />;
  const way = wayOf(session, done, leavesOut);
  switch (step.page) {
    case 'person':
      return (
        <Shell study={study} foot={note} aside={<WayProgress way={way} video={null} />}>
          <PersonPage session={session} onDone={actions.answerPerson} />
        </Shell>
      );
    case 'instructions':
      return (
        <Shell study={study} foot={note} aside={<WayProgress way={way} video={null} />}>
          <InstructionsPage session={session} onDone={actions.instruct} />
        </Shell>
      );
    case 'trial': {
      const onAnswered = (position: number) => {
        setBegun(null);
        actions.answer(position);
      };
      const asksForRoom = step.trial.position !== begun && lackingOf(step.trial, viewport) !== null;
      // a trial that may be skipped has no number yet
      const mayBeLeftOut = leavesOut(step.trial);
      return (
        <Shell study={study} width={asksForRoom ? 'text' : 'film'} foot={note} aside={<WayProgress way={way} video={mayBeLeftOut ? null : step} training={!mayBeLeftOut && step.trial.training} />}>
          <TrialPage
            key={step.trial.position}
            session={session}
            done={done}
            step={step}
            outbox={outbox}
            begun={begun === step.trial.position}
            onBegun={setBegun}
            onAnswered={onAnswered}
            onSkip={actions.skip}
          />
        </Shell>
      );
    }
    case 'context':
      return (
        <Shell study={study} foot={note} aside={<WayProgress way={way} video={step} />}>
          <ContextPage context={step.trial.context} onDone={() => { actions.announce(step.trial.position); }} />
        </Shell>
      );
    case 'control':
      return (
        <Shell study={study} foot={note} aside={<WayProgress way={way} video={step} />}>
          <ControlPage key={step.control.key} control={step.control} outbox={outbox} onAnswered={actions.answerControl} />
        </Shell>
      );
    case 'finish':
      return (
        <FinishPage
          session={session}
          skipped={[...done.skipped].filter((position) => !done.answered.has(position))}
          outbox={outbox}
          onMissing={() => {
            actions.forget();
            void cache.invalidateQueries({ queryKey: ['session'] });
          }}
          onPersonMissing={actions.askPerson}
        />
      );
  }
}

/** The trials whose clips this step needs now or next. */
function wantedOf(step: Step, session: Session): (Trial | null)[] {
  switch (step.page) {
    case 'context':
    case 'trial':
      return [step.trial, step.next];
    case 'control':
      return [step.next];
    case 'finish':
      return [];
    case 'person':
    case 'instructions':
      return [session.trials[0] ?? null];
  }
}

function useWantedClips(trials: readonly (Trial | null)[]): void {
  const clips = trials.flatMap((trial) => (trial === null ? [] : [trial.clip]));
  const urls = clips.map((clip) => clip.url).join(' ');
  useEffect(() => {
    clipStore.want(clips);
    // the list is a new array at each render; the URLs identify its content
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [urls]);
}

interface ProgressProps {
  /** Progress through the session. */
  way: { passed: number; total: number };
  /** The current or next video; null before the first video, and for a video that may be left out. */
  video: { number: number; total: number } | null;
  training?: boolean | undefined;
}

function WayProgress({ way, video, training = false }: ProgressProps) {
  const { t } = useLingui();
  const { number = 0, total = 0 } = video ?? {};
  return (
    <span className="participant__step">
      {total > 0 && (
        <span>
          {training && (
            <>
              <Trans>Practice:</Trans>{' '}
            </>
          )}
          <Trans>
            Video {number} of {total}
          </Trans>
        </span>
      )}
      <progress aria-label={t`Progress through the study`} max={way.total} value={way.passed} />
    </span>
  );
}
