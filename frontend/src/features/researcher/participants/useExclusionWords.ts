import { useLingui } from '@lingui/react/macro';

/** Returns a function that explains why a session is not used although no rule of the study excludes it. */
export function useExclusionWords(): (reason: string) => string {
  const { t } = useLingui();
  const words: Record<string, string> = {
    beyond_quota: t`over quota`,
    not_shown: t`too many videos did not play`,
    nothing_rated: t`skipped all trials`,
    seen_before: t`restarted after watching videos`,
    restarted: t`restarted`,
  };
  return (reason) => words[reason] ?? reason;
}
