import { useLingui } from '@lingui/react/macro';

/** What a step of the funnel says of those who are left, and why others are left out whatever the rules say. */
export function useRuleWords(): (key: string) => string {
  const { t } = useLingui();
  const words: Record<string, string> = {
    started: t`began`,
    completed: t`came to the end`,
    R1: t`R1: played every video`,
    R2: t`R2: no video stalled`,
    R3: t`R3: stayed with the page`,
    R4: t`R4: saw something before each answer`,
    R5: t`R5: kept the time limit`,
    R6: t`R6: control videos right`,
    R7: t`R7: control questions right`,
    beyond_quota: t`finished after their seat went to somebody else`,
    nothing_rated: t`skipped everything that is asked`,
    seen_before: t`began anew with videos that they had seen`,
    restarted: t`begun anew`,
    used: t`used in the analysis`,
    accepted: t`accepted, to be paid`,
  };
  return (key) => words[key] ?? key;
}
