import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { textIn } from '../../shared/i18n/language';
import { Choices } from '../../shared/ui/Choices';
import type { ViewProps } from '../kind';
import { TrialStage } from '../TrialStage';
import type { CompareData, CompareParams } from './schema';

/** Asks which film was faster, then how sure the person is. The answers are in the same order as the films. */
export function CompareView({ params, language, ...stage }: ViewProps<CompareParams, CompareData>) {
  const { t } = useLingui();
  const [question, setQuestion] = useState<'choice' | 'sureness'>('choice');
  const [choice, setChoice] = useState<CompareData['choice'] | null>(null);
  const [sureness, setSureness] = useState<number | null>(null);
  const sides: { key: CompareData['choice']; label: string }[] = [
    { key: 'left', label: t`Left` },
    { key: 'none', label: t`I see no difference` },
    { key: 'right', label: t`Right` },
  ];
  const said = sides.find(({ key }) => key === choice)?.label ?? '';
  const degrees = params.sureness_labels.map((label, index) => ({ key: index + 1, label: textIn(label, language) }));
  const next = () => {
    if (question === 'sureness' && choice !== null && sureness !== null) return { choice, sureness };
    setQuestion('sureness');
    return null;
  };
  // only the time of the choice is recorded, not that of the sureness
  const choose = (side: CompareData['choice'], chosen: () => void) => {
    chosen();
    setChoice(side);
    setSureness(null);
  };
  return (
    <TrialStage
      {...stage}
      question={question}
      complete={(question === 'choice' ? choice : sureness) !== null}
      next={next}
      captions={[t`Left`, t`Right`]}
    >
      {(first, chosen) =>
        question === 'choice' ? (
          <Choices
            key="choice"
            legend={textIn(params.question, language)}
            legendRef={first}
            layout="scale"
            choices={sides}
            value={choice}
            onChange={(side) => { choose(side, chosen); }}
          />
        ) : (
          <>
            <p className="trial__said">
              <Trans>
                You said: <strong>{said}</strong>
              </Trans>
              <button type="button" className="button button--quiet button--small" onClick={() => { setQuestion('choice'); }}>
                <Trans>Change</Trans>
              </button>
            </p>
            <Choices key="sureness" legend={t`How sure are you?`} legendRef={first} layout="scale" choices={degrees} value={sureness} onChange={setSureness} />
          </>
        )
      }
    </TrialStage>
  );
}
