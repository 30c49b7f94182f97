import { useState } from 'react';

import { textIn } from '../../shared/i18n/language';
import { ClipStage } from '../../shared/player/ClipStage';
import { Choices } from '../../shared/ui/Choices';
import { ContextLead } from '../ContextLead';
import type { Answer, TrialProps } from '../kind';
import { TrialForm } from '../TrialForm';
import type { RateData, RateParams } from './schema';

type Props = Omit<TrialProps, 'onAnswer'> & { params: RateParams; onAnswer: (answer: Answer<RateData>) => void };

export function RateView({ clip, context, language, params, onPlay, onAnswer }: Props) {
  const [score, setScore] = useState<number | null>(null);
  const choices = params.labels.map((label, index) => ({ key: index + 1, label: textIn(label, language) }));
  return (
    <ClipStage clip={clip} onPlay={onPlay} lead={<ContextLead context={context} />}>
      {(asked) => (
        <TrialForm
          asked={asked}
          complete={score !== null}
          onNext={(timing) => {
            if (score !== null) onAnswer({ data: { score }, ...timing });
          }}
        >
          {(first) => (
            <Choices legend={textIn(params.question, language)} legendRef={first} layout="scale" choices={choices} value={score} onChange={setScore} />
          )}
        </TrialForm>
      )}
    </ClipStage>
  );
}
