import { Trans } from '@lingui/react/macro';
import { type ReactNode, type Ref, useRef, useState } from 'react';

import { ClipStage } from '../shared/player/ClipStage';
import type { ViewProps } from './kind';
import type { Layout } from './layout';
import { TrialForm } from './TrialForm';

interface Props<Data> extends Omit<ViewProps<unknown, Data>, 'language' | 'params'> {
  /** What is asked now, where a kind asks one thing after the other. */
  question?: string;
  complete: boolean;
  /** What is answered with all questions; null where Next leads to another question first. */
  next: () => Data | null;
  /** The names of the two halves of the film, under which the answers stand. */
  captions?: readonly [string, string];
  /** The question; `first` is where the focus goes when it appears, `chosen` is called with each choice, whose moment counts. */
  children: (first: Ref<HTMLElement>, chosen: () => void) => ReactNode;
}

/** The film of a trial, then its question: all that the kinds have in common, so that a kind is its question alone. */
export function TrialStage<Data>({ clip, context, onPlay, onAnswer, question = 'only', complete, next, captions, children }: Props<Data>) {
  const [main] = useState(question);
  // the form is gone during a replay
  const layout = useRef<Layout>('row');
  return (
    <ClipStage clip={clip} onPlay={onPlay} captions={captions} lead={<ContextLead context={context} />}>
      {(asked) => (
        <TrialForm
          asked={asked}
          question={question}
          complete={complete}
          underFilm={captions !== undefined}
          onLayout={(now) => {
            // later questions are about the answer to the first one, which is the one that counts
            if (question === main) layout.current = now;
          }}
          onNext={() => {
            const data = next();
            if (data !== null) onAnswer({ data, ...asked.timing(), layout: layout.current });
          }}
        >
          {(first) => children(first, asked.chosen)}
        </TrialForm>
      )}
    </ClipStage>
  );
}

/** Asks to imagine the context; the label completes the sentence ("at work", "on a plane"). */
function ContextLead({ context }: { context: string }) {
  return (
    <p className="trial__lead">
      <Trans>
        Imagine you are <strong>{context}</strong> and open this website.
      </Trans>
    </p>
  );
}
