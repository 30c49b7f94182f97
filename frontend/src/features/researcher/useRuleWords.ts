import { useLingui } from '@lingui/react/macro';

import type { RuleOut } from '../../shared/api/contract.gen';
import { decimal } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';

/** What a step of the funnel says of those who are left, and why others are left out whatever the rules say. */
export function useRuleWords(rules: readonly RuleOut[] = []): (key: string) => string {
  const { t } = useLingui();
  const language = useLanguage();
  const stallMs = rules.find(({ rule }) => rule === 'R2')?.thresholds['stall_ms'];
  const seconds = stallMs === undefined ? '' : decimal(stallMs / 1000, 1, language);
  const words: Record<string, string> = {
    started: t`started`,
    completed: t`completed`,
    R1: t`R1: played every video`,
    R2: seconds === '' ? t`R2: no long stall` : t`R2: no stall over ${seconds} s`,
    R3: t`R3: page visible and focused`,
    R4: t`R4: watched before each answer`,
    R5: t`R5: kept the time limit`,
    R6: t`R6: control videos answered correctly`,
    R7: t`R7: control questions answered correctly`,
    R8: t`R8: videos shown large enough`,
    R9: t`R9: enough time for all videos`,
    beyond_quota: t`over quota`,
    nothing_rated: t`skipped all trials`,
    seen_before: t`restarted after watching videos`,
    restarted: t`restarted`,
    used: t`used in the analysis`,
    accepted: t`accepted, to be paid`,
  };
  return (key) => words[key] ?? key;
}
