import { Trans } from '@lingui/react/macro';
import { type ReactNode, type Ref, type SubmitEvent, useEffect, useRef } from 'react';

interface Props {
  /** What is asked now; when it changes, the focus goes to the new question. */
  question: string;
  complete: boolean;
  onReplay: () => void;
  onNext: () => void;
  /** To the question before, in place of a replay. */
  onBack?: (() => void) | undefined;
  /** Given the ref to which the focus goes when the question appears. */
  children: (first: Ref<HTMLElement>) => ReactNode;
}

/** The question after a film, with Replay (or Back) and Next; Enter is Next. */
export function TrialForm({ question, complete, onReplay, onNext, onBack, children }: Props) {
  const first = useRef<HTMLElement>(null);
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
  }, [question]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (complete) onNext();
  };
  return (
    <form className="trial__form" onSubmit={submit}>
      {children(first)}
      <div className="actions">
        {onBack === undefined ? (
          <button type="button" className="button button--quiet" onClick={onReplay}>
            <Trans>Replay Video</Trans>
          </button>
        ) : (
          <button type="button" className="button button--quiet" onClick={onBack}>
            <Trans>Back</Trans>
          </button>
        )}
        <button type="submit" className="button" disabled={!complete}>
          <Trans>Next</Trans>
        </button>
      </div>
    </form>
  );
}
