import { useLingui } from '@lingui/react/macro';

/** What a step of the funnel says of those who are left, and why others are left out whatever the rules say. */
export function useRuleWords(): (key: string) => string {
  const { t } = useLingui();
  const words: Record<string, string> = {
    started: t`started`,
    completed: t`completed`,
    R1: t`R1: played every video`,
    R2: t`R2: no video stalled`,
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
