import { Trans, useLingui } from '@lingui/react/macro';
import * as v from 'valibot';

import type { DemographicRow, StudyDetail } from '../../../shared/api/contract.gen';
import { percent } from '../../../shared/i18n/format';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import { useGroupName } from '../pageContext';
import { DataTable } from '../tables/DataTable';

const Text = v.record(v.string(), v.string());
/** The questions about the person in a study file; the API hands the frozen file on as it is, so this part is parsed here. */
const Frozen = v.object({
  study: v.object({ questions: v.array(v.object({ key: v.string(), label: Text, choices: v.array(v.object({ key: v.string(), label: Text })) })) }),
});

/** Answers about the person in the sessions used, per group; nothing where nobody was asked. */
export function DemographicsSection({ rows, frozen }: { rows: readonly DemographicRow[]; frozen: StudyDetail['study'] }) {
  const language = useLanguage();
  if (rows.length === 0 || !v.is(Frozen, frozen)) return null;
  return (
    <section>
      <h2>
        <Trans>Participants</Trans>
      </h2>
      <p className="facts">
        <Trans>Answers about the person, of the sessions used. Counts below 5 are not shown, nor those from which such a count could be computed.</Trans>
      </p>
      {frozen.study.questions.map((question) => (
        <details key={question.key} className="fold">
          <summary>{textIn(question.label, language)}</summary>
          <Answers label={textIn(question.label, language)} choices={question.choices} rows={rows.filter((row) => row.question === question.key)} />
        </details>
      ))}
    </section>
  );
}

interface Asked {
  label: string;
  choices: readonly { key: string; label: Record<string, string> }[];
  rows: readonly DemographicRow[];
}

function Answers({ label, choices, rows }: Asked) {
  const { t } = useLingui();
  const language = useLanguage();
  const groupName = useGroupName();
  const wordOf = (key: string) => {
    const choice = choices.find((one) => one.key === key);
    return choice === undefined ? t`no answer` : textIn(choice.label, language);
  };
  return (
    <DataTable
      caption={label}
      head={[t`group`, t`answer`, t`sessions`, t`share`]}
      numeric={[2, 3]}
      size="small"
      rows={rows.map(({ group, choice, sessions, share }) => ({
        key: `${group}/${choice}`,
        cells: [groupName(group), wordOf(choice), sessions ?? t`fewer than 5, or left out`, percent(share, language)],
      }))}
    />
  );
}
