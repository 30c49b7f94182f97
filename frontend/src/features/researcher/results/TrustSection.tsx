import { Trans } from '@lingui/react/macro';

import type { IdenticalAnswers } from '../../../shared/api/contract.gen';
import { percent } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';

/** Reliability of the answers: false alarms on identical (A/A) pairs. */
export function TrustSection({ all }: { all: IdenticalAnswers }) {
  const language = useLanguage();
  const [share, low, high] = [percent(all.share_different, language), percent(all.ci_low, language), percent(all.ci_high, language)];
  const { n, chose_left: left, chose_right: right } = all;
  return (
    <section>
      <h2>
        <Trans>Identical pairs</Trans>
      </h2>
      <p className="facts">
        <Trans>
          Both sides showed the same stack. In {share} [{low}, {high}] of {n} answers, participants still reported a difference: {left} chose left, {right} right. This false-alarm rate limits the resolution of the other comparisons.
        </Trans>
      </p>
    </section>
  );
}
