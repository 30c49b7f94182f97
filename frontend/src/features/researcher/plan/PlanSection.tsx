import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import * as v from 'valibot';

import type { StudyDetail } from '../../../shared/api/contract.gen';
import { figure } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { Paragraphs } from '../../../shared/ui/text';
import { Hypothesis, Reading } from './Reading';

/** The analysis plan of a study file, in one language. It is parsed here, because the API returns the frozen file unchanged. */
const Plan = v.object({
  hypotheses: v.array(Hypothesis),
  model: v.optional(v.string()),
  exclusions: v.optional(v.string()),
  stopping: v.optional(v.string()),
  looks: v.optional(v.object({ at: v.array(v.number()), spending: v.picklist(['obrien-fleming', 'pocock']) })),
});
const Frozen = v.object({ study: v.object({ plan: Plan }) });

/** Whether a frozen study's plan has hypotheses. */
export const hasHypotheses = (frozen: StudyDetail['study']): boolean => v.is(Frozen, frozen) && frozen.study.plan.hypotheses.length > 0;

/** The analysis plan in the words of the study file, which has it in one language. */
export function PlanSection({ frozen }: { frozen: StudyDetail['study'] }) {
  const language = useLanguage();
  if (!v.is(Frozen, frozen)) return null;
  const { hypotheses, model, exclusions, stopping, looks } = frozen.study.plan;
  if (hypotheses.length === 0 && model === undefined && exclusions === undefined && stopping === undefined) return null;
  return (
    <section>
      <h2>
        <Trans>Analysis plan</Trans>
      </h2>
      <p className="facts">
        <Trans>Frozen with the study, before the first vote.</Trans>
      </p>
      <dl className="plan">
        {hypotheses.map((hypothesis) => {
          const { key, says, margin, margin_reason } = hypothesis;
          const least = margin === undefined ? null : figure(margin, language);
          return (
            <Part key={key} name={<Trans>Hypothesis {key}</Trans>} text={says}>
              <Reading of={hypothesis} />
              {least !== null && (
                <p className="facts">
                  <Trans>Smallest difference of interest: {least}</Trans>
                  {margin_reason !== undefined && ` (${margin_reason})`}
                </p>
              )}
            </Part>
          );
        })}
        <Part name={<Trans>Model</Trans>} text={model} />
        <Part name={<Trans>Exclusions</Trans>} text={exclusions} />
        <Part name={<Trans>Stopping rule</Trans>} text={stopping} />
        {looks !== undefined && <PlannedLooks at={looks.at} spending={looks.spending} />}
      </dl>
    </section>
  );
}

function PlannedLooks({ at, spending }: { at: readonly number[]; spending: 'obrien-fleming' | 'pocock' }) {
  const language = useLanguage();
  const sessions = new Intl.ListFormat(language).format(at.map(String));
  return (
    <>
      <dt>
        <Trans>Looks before the end</Trans>
      </dt>
      <dd>
        <p>
          {spending === 'pocock' ? (
            <Trans>Hypotheses are answered after {sessions} used sessions; alpha is spent nearly evenly (Pocock-like spending).</Trans>
          ) : (
            <Trans>Hypotheses are answered after {sessions} used sessions; little alpha is spent early (O’Brien-Fleming-like spending).</Trans>
          )}
        </p>
      </dd>
    </>
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
