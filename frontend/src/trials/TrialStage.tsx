import { Trans } from '@lingui/react/macro';
import { type ReactNode, type Ref, useRef, useState } from 'react';

import { ClipStage } from '../shared/player/ClipStage';
import type { ViewProps } from './kind';
import type { Layout } from './layout';
import { TrialForm } from './TrialForm';

interface Props<Data> extends Omit<ViewProps<unknown, Data>, 'language' | 'params'> {
  /** The current question, for kinds with several questions. */
  question?: string;
  complete: boolean;
  /** Returns the data when all questions are answered; null if Next leads to another question. */
  next: () => Data | null;
  /** The names of the two halves of the film, above the answers. */
  captions?: readonly [string, string];
  /** The question. `first` receives the focus when it appears; call `chosen` at each choice, because its time is recorded. */
  children: (first: Ref<HTMLElement>, chosen: () => void) => ReactNode;
}

/** The film of a trial, then its question. Contains what all kinds share, so that a kind only defines its question. */
export function TrialStage<Data>({ clip, context, onPlay, onAnswer, question = 'only', complete, next, captions, children }: Props<Data>) {
  const [main] = useState(question);
  // the form is unmounted during a replay
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
            // only the layout of the first question is recorded
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

/** Asks participants to imagine the context; the label completes the sentence ("at work", "on a plane"). */
function ContextLead({ context }: { context: string }) {
  return (
    <p className="trial__lead">
      <Trans>
        Imagine you are <strong>{context}</strong> and open this website.
      </Trans>
    </p>
  );
}
