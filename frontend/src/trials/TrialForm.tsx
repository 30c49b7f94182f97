import { Trans } from '@lingui/react/macro';
import { type ReactNode, type Ref, type SubmitEvent, useEffect, useRef } from 'react';

import type { Asked } from '../shared/player/ClipStage';
import type { Timing } from '../shared/player/timing';

interface Props {
  asked: Asked;
  complete: boolean;
  /** Given when the last choice was made. */
  onNext: (timing: Timing) => void;
  /** Given the ref to which the focus goes when the question appears. */
  children: (first: Ref<HTMLElement>) => ReactNode;
}

/** The question to a film, with Replay and Next; Enter is Next. Every change of a field in it counts as a choice. */
export function TrialForm({ asked, complete, onNext, children }: Props) {
  const { playing } = asked;
  const first = useRef<HTMLElement>(null);
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
  }, []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (complete && !playing) onNext(asked.timing());
  };
  return (
    <form className="trial__form" onSubmit={submit} onChange={asked.chosen}>
      {children(first)}
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={asked.replay} disabled={playing}>
          <Trans>Replay Video</Trans>
        </button>
        <span className="trial__hint" role="status">
          {playing && complete && <Trans>You can go on when the video has ended.</Trans>}
        </span>
        <button type="submit" className="button" disabled={!complete || playing}>
          <Trans>Next</Trans>
        </button>
      </div>
    </form>
  );
}
