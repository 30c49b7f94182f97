import { useState } from 'react';

import { textIn } from '../../shared/i18n/language';
import { Choices } from '../../shared/ui/Choices';
import type { ViewProps } from '../kind';
import { TrialStage } from '../TrialStage';
import type { RateData, RateParams } from './schema';

export function RateView({ params, language, ...stage }: ViewProps<RateParams, RateData>) {
  const [score, setScore] = useState<number | null>(null);
  const choices = params.labels.map((label, index) => ({ key: index + 1, label: textIn(label, language) }));
  return (
    <TrialStage {...stage} complete={score !== null} next={() => (score === null ? null : { score })}>
      {(first, chosen) => (
        <Choices
          legend={textIn(params.question, language)}
          legendRef={first}
          layout="scale"
          choices={choices}
          value={score}
          onChange={(to) => {
            chosen();
            setScore(to);
          }}
        />
      )}
    </TrialStage>
  );
}
