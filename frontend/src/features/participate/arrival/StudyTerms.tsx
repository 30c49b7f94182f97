import { Trans } from '@lingui/react/macro';

import type { StudyText } from '../../../shared/api/forms';
import { money } from '../../../shared/i18n/format';
import { textIn, useLanguage } from '../../../shared/i18n/language';

/** Pay, retention and ethics approval of a study, as far as the study file states them. */
export function StudyTerms({ study }: { study: StudyText }) {
  const language = useLanguage();
  const { ethics, retention, pay } = study;
  if (ethics == null && retention == null && pay == null) return null;
  return (
    <dl className="terms">
      {pay != null && (
        <>
          <dt>
            <Trans>What you get</Trans>
          </dt>
          <dd>{money(pay.amount, pay.currency, language)}</dd>
        </>
      )}
      {retention != null && (
        <>
          <dt>
            <Trans>How long data is stored</Trans>
          </dt>
          <dd>{textIn(retention.text, language)}</dd>
        </>
      )}
      {ethics != null && (
        <>
          <dt>
            <Trans>Who approved the study</Trans>
          </dt>
          <dd>{ethics.number == null ? ethics.board : `${ethics.board}, ${ethics.number}`}</dd>
        </>
      )}
    </dl>
  );
}
