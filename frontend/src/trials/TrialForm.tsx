import { Trans } from '@lingui/react/macro';
import { type ReactNode, type Ref, type SubmitEvent, useEffect, useRef } from 'react';

import type { Asked } from '../shared/player/ClipStage';
import { NeedsRoom } from '../shared/player/Notes';
import { type Layout, layoutOf } from './layout';

interface Props {
  asked: Asked;
  /** The current question; when it changes, the new question receives the focus. */
  question: string;
  complete: boolean;
  /** Called with the layout of the answers at each change of an answer. */
  onLayout: (layout: Layout) => void;
  onNext: () => void;
  /** The answers span the width of the film, because they name its halves. */
  underFilm: boolean;
  /** Receives the ref of the element that gets the focus when the question appears. */
  children: (first: Ref<HTMLElement>) => ReactNode;
}

/** The question about a film, with the buttons Replay and Next. Enter presses Next. */
export function TrialForm({ asked, question, complete, underFilm, onLayout, onNext, children }: Props) {
  const { playing, needed } = asked;
  const cramped = needed !== null && !playing;
  const first = useRef<HTMLElement>(null);
  useEffect(() => {
    first.current?.focus();
  }, [question]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (complete && !playing) onNext();
  };
  return (
    <form className={underFilm ? 'trial__form trial__form--under-film' : 'trial__form'} onSubmit={submit} onChange={(event) => { onLayout(layoutOf(event.currentTarget)); }}>
      {children(first)}
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={asked.replay} disabled={playing || cramped}>
          <Trans>Replay Video</Trans>
        </button>
        <span className="trial__hint" role="status">
          {playing && complete && <Trans>You can continue when the video has ended.</Trans>}
          {cramped && <NeedsRoom needed={needed} />}
        </span>
        <button type="submit" className="button" disabled={!complete || playing}>
          <Trans>Next</Trans>
        </button>
      </div>
    </form>
  );
}
