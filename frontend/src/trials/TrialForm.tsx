import { Trans } from '@lingui/react/macro';
import { type ReactNode, type Ref, type SubmitEvent, useEffect, useRef } from 'react';

interface Props {
  complete: boolean;
  onReplay: () => void;
  onNext: () => void;
  /** Given the ref to which the focus goes when the question appears. */
  children: (first: Ref<HTMLElement>) => ReactNode;
}

/** The question after a film, with Replay and Next; Enter is Next. */
export function TrialForm({ complete, onReplay, onNext, children }: Props) {
  const first = useRef<HTMLElement>(null);
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
  }, []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (complete) onNext();
  };
  return (
    <form className="trial__form" onSubmit={submit}>
      {children(first)}
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={onReplay}>
          <Trans>Replay Video</Trans>
        </button>
        <button type="submit" className="button" disabled={!complete}>
          <Trans>Next</Trans>
        </button>
      </div>
    </form>
  );
}
