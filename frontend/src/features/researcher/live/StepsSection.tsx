import { Trans, useLingui } from '@lingui/react/macro';

import type { StepOut } from '../../../shared/api/contract.gen';
import { useGroupName } from '../pageContext';
import { DataTable } from '../tables/DataTable';

/** Table of the answers after which participants left. */
export function StepsSection({ steps }: { steps: readonly StepOut[] }) {
  const { t } = useLingui();
  const groupName = useGroupName();
  if (steps.length === 0) return null;
  const most = Math.max(...steps.map(({ sessions }) => sessions));
  const words = ({ answered, trials }: StepOut) => {
    if (answered === 0) return t`before the first answer`;
    return answered >= trials ? t`after the last answer` : t`after answer ${answered} of ${trials}`;
  };
  return (
    <section>
      <h2>
        <Trans>Where participants left</Trans>
      </h2>
      <p className="facts">
        <Trans>Participants who have not answered anything for 15 minutes. They can still come back if the study allows it.</Trans>
      </p>
      <DataTable
        caption={t`Where participants left`}
        size="small"
        head={[t`group`, t`left`, t`sessions`, t`share`]}
        numeric={[2]}
        rows={steps.map((step) => ({
          key: `${step.group}/${String(step.answered)}/${String(step.trials)}`,
          cells: [groupName(step.group), words(step), step.sessions, <progress key="bar" aria-label={words(step)} max={most} value={step.sessions} />],
        }))}
      />
    </section>
  );
}
