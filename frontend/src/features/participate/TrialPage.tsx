import { Trans } from '@lingui/react/macro';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import type { Session, Trial } from '../../shared/api/forms';
import { textIn, useLanguage } from '../../shared/i18n/language';
import type { Outbox } from '../../shared/outbox/outbox';
import { type Stage, StageContext } from '../../shared/player/stage';
import { remPx, useWindowSize } from '../../shared/player/useWindowSize';
import { Notice, PageHeading } from '../../shared/ui/page';
import type { PreparedTrial, TrialProps } from '../../trials/kind';
import { trialKind } from '../../trials/registry';
import { type Done, type Step, tooNarrow } from './flow';
import { sendLeftPlay } from './leftPlay';
import { NarrowPage } from './NarrowPage';
import { hasRoom, roomFor } from './room';
import { TrialMemory } from './trialMemory';

interface Props {
  session: Session;
  done: Done;
  step: Extract<Step, { page: 'trial' }>;
  outbox: Outbox;
  onAnswered: (position: number) => void;
  onSkip: (positions: readonly number[]) => void;
}

export function TrialPage({ session, done, step, outbox, onAnswered, onSkip }: Props) {
  const language = useLanguage();
  const windowSize = useWindowSize();
  const { trial, number, total } = step;
  const prepared = useMemo(() => prepare(trial), [trial]);
  // a second press of Enter, while the first vote is being kept, is no second vote
  const sent = useRef(false);
  const [memory] = useState(() => new TrialMemory(session.id, trial.position));
  useEffect(() => memory.start(), [memory]);
  const [playsBefore] = useState(memory.seen.plays);
  // a play that runs may end in any window, and be answered there: its smallest scale is on record
  const [begun, setBegun] = useState(false);
  const onPlaying = useCallback<Stage['onPlaying']>((playing, at, seen) => {
    memory.playing(playing, at, seen);
    setBegun(playing || seen.plays > playsBefore);
  }, [memory, playsBefore]);

  if (prepared === null) return <UnknownKind />;
  const needed = hasRoom(trial, prepared, windowSize, remPx()) ? null : roomFor(trial.clip, prepared, remPx());
  if (needed !== null && !begun) {
    const positions = tooNarrow(session, done, (other) => {
      const needs = prepare(other);
      return needs === null || hasRoom(other, needs, windowSize, remPx());
    });
    const skip = () => {
      memory.forget();
      onSkip(positions);
    };
    return <NarrowPage count={positions.length} needed={needed} onSkip={session.study.narrow_window === 'refuse' ? null : skip} />;
  }

  const onPlay: TrialProps['onPlay'] = (play) => {
    const body = { position: trial.position, ...play };
    if (play.evidence.complete) void outbox.hold(body);
    else sendLeftPlay(outbox, session.id, body);
  };
  const onAnswer: TrialProps['onAnswer'] = (answer) => {
    const { position, kind, kind_version, clip } = trial;
    const body = { position, clip_sha256: clip.sha256, kind, kind_version, ...answer, away: memory.away.spans(), play: null };
    if (sent.current) return;
    sent.current = true;
    // the next trial shows only once this vote is kept
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
      <StageContext value={{ answerFrom: trial.answer_from, seenBefore: memory.seen, needed, onPlaying }}>
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

function UnknownKind() {
  return (
    <Notice title={<Trans>This page is older than the study</Trans>}>
      <p>
        <Trans>Please reload it. Your answers so far are kept.</Trans>
      </p>
      <div className="actions">
        <button type="button" className="button" onClick={() => { location.reload(); }}>
          <Trans>Reload</Trans>
        </button>
      </div>
    </Notice>
  );
}
