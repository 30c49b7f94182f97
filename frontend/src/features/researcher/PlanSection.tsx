import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import type { Plan } from '../../shared/api/studies';
import { figure } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Paragraphs } from '../../shared/ui/Paragraphs';

/** What was to be found out and how, in the study file's own words, which are of one language; nothing where it says nothing. */
export function PlanSection({ plan }: { plan: Plan | undefined }) {
  const language = useLanguage();
  if (plan === undefined) return null;
  const { hypotheses, model, exclusions, stopping } = plan;
  if (hypotheses.length === 0 && model === undefined && exclusions === undefined && stopping === undefined) return null;
  return (
    <section>
      <h2>
        <Trans>Plan of analysis</Trans>
      </h2>
      <p className="facts">
        <Trans>Frozen with the study, before the first vote.</Trans>
      </p>
      <dl className="plan">
        {hypotheses.map(({ key, says, margin }) => {
          const least = margin === undefined ? null : figure(margin, language);
          return (
            <Part key={key} name={<Trans>Hypothesis {key}</Trans>} text={says}>
              {least !== null && (
                <p className="facts">
                  <Trans>Smallest difference that matters: {least}</Trans>
                </p>
              )}
            </Part>
          );
        })}
        <Part name={<Trans>Model</Trans>} text={model} />
        <Part name={<Trans>Left out</Trans>} text={exclusions} />
        <Part name={<Trans>When asking ends</Trans>} text={stopping} />
      </dl>
    </section>
  );
}

function Part({ name, text, children }: { name: ReactNode; text: string | undefined; children?: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {text === undefined ? (
          <p className="facts">
            <Trans>not stated</Trans>
          </p>
        ) : (
          <Paragraphs text={text} />
        )}
        {children}
      </dd>
    </>
  );
}
