import { Plural, Trans, useLingui } from '@lingui/react/macro';

import type { ClipVotesOut, StudyClipDetailOut } from '../../../shared/api/contract.gen';
import { decimal } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { DataTable } from '../tables/DataTable';

/** Answers of participants to a clip. */
export function ClipVotes({ clip }: { clip: StudyClipDetailOut }) {
  if (clip.votes === null)
    return (
      <p className="facts">
        <Trans>Votes appear here once the results by stack are shown.</Trans>
      </p>
    );
  if (clip.votes.length === 0)
    return (
      <p className="facts">
        <Trans>No used session has a vote on this clip.</Trans>
      </p>
    );
  return clip.votes.map((votes) => <Votes key={`${votes.kind}/${votes.role}`} clip={clip} votes={votes} />);
}

function Votes({ clip, votes }: { clip: StudyClipDetailOut; votes: ClipVotesOut }) {
  const { t } = useLingui();
  const language = useLanguage();
  const [left = '', right = ''] = clip.stacks;
  const roles: Record<ClipVotesOut['role'], string> = { main: t`main`, training: t`training`, identical: t`identical pair`, control: t`control` };
  const sides: Record<string, string> = { left: t`left (${left})`, right: t`right (${right})`, none: t`no difference` };
  const labels = [t`extremely bad`, t`bad`, t`poor`, t`fair`, t`good`, t`excellent`, t`ideal`];
  const wordOf = (answer: string) => sides[answer] ?? `${answer} ${labels[Number(answer) - 1] ?? ''}`;
  const role = roles[votes.role];
  const mean = decimal(votes.mean, 2, language);
  const [low, high] = [decimal(votes.ci_low, 2, language), decimal(votes.ci_high, 2, language)];
  return (
    <>
      <p>
        {votes.kind} ({role}): <Plural value={votes.votes} one="# vote" other="# votes" /> <Plural value={votes.n} one="of # participant" other="of # participants" />
        {votes.mean !== null && (
          <>
            {', '}
            {votes.ci_low === null ? <Trans>mean {mean}</Trans> : <Trans>mean {mean} (95 % interval {low} to {high})</Trans>}
          </>
        )}
      </p>
      {votes.answers.length > 0 && (
        <DataTable
          caption={t`Votes by answer`}
          head={[t`answer`, t`votes`, t`share`]}
          numeric={[1]}
          size="small"
          rows={votes.answers.map(({ answer, votes: count }) => ({
            key: answer,
            cells: [wordOf(answer), count, <progress key="bar" aria-label={wordOf(answer)} max={votes.votes} value={count} />],
          }))}
        />
      )}
    </>
  );
}
