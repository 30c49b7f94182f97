import { Trans, useLingui } from '@lingui/react/macro';

import type { ProblemOut } from '../../../shared/api/contract.gen';
import { useGroupName } from '../pageContext';
import { DataTable } from '../tables/DataTable';

/** Table of problems that participants saw. */
export function ProblemsSection({ problems }: { problems: readonly ProblemOut[] }) {
  const { t } = useLingui();
  const groupName = useGroupName();
  if (problems.length === 0) return null;
  const words: Record<string, string> = {
    not_open: t`The study was full, paused or closed.`,
    recruit_missing: t`The link did not have the recruiter’s ID.`,
    already_took_part: t`They had already taken part.`,
    already_begun: t`They had already begun, and this study cannot be continued.`,
    no_session: t`Their browser had lost the session.`,
    other_session: t`They had begun another session in this browser.`,
    internal: t`The server failed. Its log has the reason.`,
    no_room: t`The server’s disk is almost full.`,
    invalid: t`The page sent data that the server does not accept.`,
  };
  return (
    <section>
      <h2>
        <Trans>Problems that participants saw</Trans>
      </h2>
      <DataTable
        caption={t`Problems that participants saw`}
        head={[t`problem`, t`group`, t`today (UTC)`, t`total`]}
        numeric={[2, 3]}
        rows={problems.map(({ code, group, today, total }) => ({ key: `${code}/${group}`, cells: [words[code] ?? code, groupName(group), today, total] }))}
      />
    </section>
  );
}
