import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { textIn } from '../../shared/i18n/language';
import { ClipStage } from '../../shared/player/ClipStage';
import { Choices } from '../../shared/ui/Choices';
import { ContextLead } from '../ContextLead';
import type { Answer, TrialProps } from '../kind';
import { TrialForm } from '../TrialForm';
import type { CompareData, CompareParams } from './schema';

type Props = Omit<TrialProps, 'onAnswer'> & { params: CompareParams; onAnswer: (answer: Answer<CompareData>) => void };

export function CompareView({ clip, context, language, params, onPlay, onAnswer }: Props) {
  const { t } = useLingui();
  const [choice, setChoice] = useState<CompareData['choice'] | null>(null);
  const [sureness, setSureness] = useState<number | null>(null);
  const sides: { key: CompareData['choice']; label: string }[] = [
    { key: 'left', label: t`Left` },
    { key: 'none', label: t`I see no difference` },
    { key: 'right', label: t`Right` },
  ];
  const degrees = params.sureness_labels.map((label, index) => ({ key: index + 1, label: textIn(label, language) }));
  return (
    <ClipStage clip={clip} onPlay={onPlay} lead={<ContextLead context={context} />}>
      {(asked) => (
        <TrialForm
          asked={asked}
          complete={choice !== null && sureness !== null}
          onNext={(timing) => {
            if (choice !== null && sureness !== null) onAnswer({ data: { choice, sureness }, ...timing });
          }}
        >
          {(first) => (
            <>
              <Choices legend={textIn(params.question, language)} legendRef={first} layout="scale" choices={sides} value={choice} onChange={setChoice} />
              {choice !== null && <Choices legend={t`How sure are you?`} layout="scale" choices={degrees} value={sureness} onChange={setSureness} />}
            </>
          )}
        </TrialForm>
      )}
    </ClipStage>
  );
}
