import { Trans } from '@lingui/react/macro';
import { useEffect, useMemo, useRef, useState } from 'react';

import type { Session, Trial } from '../../shared/api/session';
import { textIn, useLanguage } from '../../shared/i18n/language';
import type { Outbox } from '../../shared/outbox/outbox';
import { AwayWatch } from '../../shared/player/away';
import { type Stage, StageContext } from '../../shared/player/stage';
import { remPx, useWindowSize } from '../../shared/player/useWindowSize';
import { Notice } from '../../shared/ui/Notice';
import { PageHeading } from '../../shared/ui/PageHeading';
import type { PreparedTrial, TrialProps } from '../../trials/kind';
import { trialKind } from '../../trials/registry';
import { type Done, type Step, tooNarrow } from './flow';
import { sendLeftPlay } from './leftPlay';
import { NarrowPage } from './NarrowPage';
import { hasRoom, roomFor } from './room';

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
  const [away] = useState(() => new AwayWatch());
  useEffect(() => away.start(), [away]);
  const [begun, setBegun] = useState(false);
  const stage = useMemo<Stage>(() => {
    const onPlaying: Stage['onPlaying'] = (playing, at) => {
      away.playing(playing, at);
      setBegun(true);
    };
    return { answerFrom: trial.answer_from, onPlaying };
  }, [away, trial.answer_from]);

  if (prepared === null) return <UnknownKind />;
  // whoever has begun is let finish: the smallest scale of each play is on record
  if (!begun && !hasRoom(trial, prepared, windowSize, remPx())) {
    const positions = tooNarrow(session, done, (other) => {
      const needs = prepare(other);
      return needs === null || hasRoom(other, needs, windowSize, remPx());
    });
    const skip = session.study.narrow_window === 'refuse' ? null : () => { onSkip(positions); };
    return <NarrowPage count={positions.length} needed={roomFor(trial.clip, prepared, remPx())} onSkip={skip} />;
  }

  const onPlay: TrialProps['onPlay'] = (play) => {
    const body = { position: trial.position, ...play };
    if (play.evidence.complete) void outbox.add({ kind: 'play', body });
    else sendLeftPlay(outbox, session.id, body);
  };
  const onAnswer: TrialProps['onAnswer'] = (answer) => {
    const { position, kind, kind_version, clip } = trial;
    const body = { position, clip_sha256: clip.sha256, kind, kind_version, ...answer, away: away.spans() };
    if (sent.current) return;
    sent.current = true;
    // the next trial shows only once this vote is kept
    void outbox.add({ kind: 'vote', body }).then(() => { onAnswered(trial.position); });
  };
  const context = trial.context == null ? null : textIn(trial.context.label, language);
  return (
    <>
      <div className="visually-hidden">
        <PageHeading>
          <Trans>
            Video {number} of {total}
          </Trans>
        </PageHeading>
      </div>
      <StageContext value={stage}>
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
