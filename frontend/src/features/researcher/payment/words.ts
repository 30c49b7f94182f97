import { useLingui } from '@lingui/react/macro';

/** Returns a function that gives the label of an action for a submission. */
export function useActionWords(): (action: string) => string {
  const { t } = useLingui();
  const words: Record<string, string> = {
    approve: t`approve`,
    reject: t`reject`,
    return: t`ask to return`,
    bonus: t`pay a bonus`,
    decide: t`decide yourself`,
    nothing: t`wait`,
  };
  return (action) => words[action] ?? action;
}
