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

/** Returns a function that gives the reason for an action. */
export function useWhyWords(): (why: string) => string {
  const { t } = useLingui();
  const words: Record<string, string> = {
    accepted: t`The study accepted them.`,
    accepted_other_code: t`The study accepted them, although they entered a different code.`,
    twice: t`The study accepted them, and another submission of theirs is paid.`,
    accepted_but_gone: t`The study accepted them, but the submission timed out or was returned. A bonus is due, unless you have paid it.`,
    accepted_but_part_paid: t`The study accepted them, but they were paid only in part.`,
    accepted_but_running: t`The study accepted them, but the submission is still open.`,
    accepted_but_rejected: t`The study accepted them, but you rejected the submission.`,
    accepted_but_unknown: t`The study accepted them, but the list has no submission of theirs.`,
    not_judged: t`They completed the study. Their answers have not been screened yet.`,
    not_shown: t`They completed the study, but too few videos could be shown.`,
    unknown_person: t`The study does not know them. They may have withdrawn, or belong to another list.`,
    not_accepted: t`They completed the study, but broke rules that exclude payment.`,
    code_without_session: t`They entered the code of a completed study, but the study has no completed session of theirs.`,
    code_of_another: t`They entered the code of another participant, and the study has no completed session of theirs.`,
    not_completed: t`They did not complete the study.`,
    paid_but_not_accepted: t`The submission is paid, but the study did not accept them.`,
  };
  return (why) => words[why] ?? why;
}
