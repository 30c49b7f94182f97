import { useState } from 'react';

import { textIn } from '../../shared/i18n/language';
import type { ViewProps } from '../kind';
import { TrialStage } from '../TrialStage';
import type { SliderData, SliderParams } from './schema';
import { Slider } from './Slider';

export function SliderView({ params, language, ...stage }: ViewProps<SliderParams, SliderData>) {
  const [value, setValue] = useState<number | null>(null);
  const labels = params.labels.map((label) => textIn(label, language));
  return (
    <TrialStage {...stage} complete={value !== null} next={() => (value === null ? null : { value })}>
      {(first, chosen) => (
        <Slider
          legend={textIn(params.question, language)}
          legendRef={first}
          labels={labels}
          value={value}
          onChange={(to) => {
            chosen();
            setValue(to);
          }}
        />
      )}
    </TrialStage>
  );
}
