import { Trans } from '@lingui/react/macro';
import { useMemo, useRef } from 'react';

import type { Session, Trial } from '../../shared/api/session';
import { textIn, useLanguage } from '../../shared/i18n/language';
import type { Outbox } from '../../shared/outbox/outbox';
import { Notice } from '../../shared/ui/Notice';
import { PageHeading } from '../../shared/ui/PageHeading';
import type { PreparedTrial, TrialProps } from '../../trials/kind';
import { trialKind } from '../../trials/registry';
import { type Done, type Step, tooNarrow } from './flow';
import { NarrowPage } from './NarrowPage';
import { useWindowWidth } from './useWindowWidth';

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
  const widthPx = useWindowWidth();
  const { trial, number, total } = step;
  const prepared = useMemo(() => prepare(trial), [trial]);
  // a second press of Enter, while the first vote is being kept, is no second vote
  const sent = useRef(false);
  if (prepared === null) return <UnknownKind />;
  if (prepared.minWidthPx > widthPx) {
    const positions = tooNarrow(session, done, widthPx, (other) => prepare(other)?.minWidthPx ?? 0);
    return <NarrowPage count={positions.length} widthPx={widthPx} minWidthPx={prepared.minWidthPx} onSkip={() => { onSkip(positions); }} />;
  }

  const onPlay: TrialProps['onPlay'] = (play) => {
    void outbox.add({ kind: 'play', body: { position: trial.position, ...play } });
  };
  const onAnswer: TrialProps['onAnswer'] = (answer) => {
    const { position, kind, kind_version, clip } = trial;
    const body = { position, clip_sha256: clip.sha256, kind, kind_version, ...answer, answered_at: new Date().toISOString() };
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
      <prepared.View clip={trial.clip} context={context} language={language} onPlay={onPlay} onAnswer={onAnswer} />
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
