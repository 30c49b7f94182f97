import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { answer, api, urlOf } from '../../shared/api/client';
import type { GroupOut, RuleOut } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Fault } from '../../shared/ui/page';
import { DataTable } from './DataTable';
import { barsOf, drawFunnel, isUnasked } from './figures/drawFunnel';
import { Figure } from './figures/Figure';
import { useGroupName } from './groups';
import { conformanceKey } from './keys';
import { useOrigin } from './origin';
import { SessionVerdicts } from './SessionVerdicts';
import { useRuleWords } from './useRuleWords';
import { WatchedTable } from './WatchedTable';

const calmMs = 8000;

/** Data quality screening: participants remaining after each rule, per group, and the result of each session. */
export function ConformanceSection({ sha256 }: { sha256: string }) {
  const language = useLanguage();
  const origin = useOrigin();
  const { data, error, refetch } = useQuery({ queryKey: [...conformanceKey(sha256), origin], queryFn: () => answer(api.GET('/api/research/studies/{sha256}/conformance', { params: { path: { sha256 }, query: { origin } } })), staleTime: 0, refetchInterval: calmMs });
  if (data === undefined) return error === null ? null : <Fault error={error} onRetry={() => void refetch()} />;
  const countedAt = data.counted_at === null ? null : dateTime(data.counted_at, language);
  return (
    <section>
      <h2>
        <Trans>Data quality screening</Trans>
      </h2>
      <p className="facts">
        <Trans>
          Sessions remaining after each rule. Exclusion is per participant. Missing evidence never excludes anyone. Accepted participants are paid, even if their votes are not used.
        </Trans>
      </p>
      {countedAt !== null && (
        <p className="facts">
          <Trans>As of {countedAt}. A study of this size is counted at intervals.</Trans>
        </p>
      )}
      {data.groups.map((group) => (
        <GroupFigure key={group.group} funnel={group} rules={data.rules} />
      ))}
      {data.may_pay && (
        <p className="download">
          <a className="button button--quiet button--small" href={urlOf('/api/research/studies/{sha256}/conformance/accepted.csv', { sha256 })} download>
            <Trans>Participants to pay (CSV)</Trans>
          </a>
          <span className="facts">
            <Trans>Contains the recruiter's IDs; each download is recorded in the audit log.</Trans>
          </span>
        </p>
      )}
      <WatchedTable watched={data.watched} />
      <SessionVerdicts sha256={sha256} />
    </section>
  );
}

function GroupFigure({ funnel, rules }: { funnel: GroupOut; rules: readonly RuleOut[] }) {
  const { t } = useLingui();
  const wordsOf = useRuleWords(rules);
  const { started, used, accepted, waiting, otherwise, skipped } = funnel;
  const group = useGroupName()(funnel.group);
  const reasons = Object.entries(otherwise)
    .map(([reason, sessions]) => `${wordsOf(reason)}: ${String(sessions)}`)
    .join('; ');
  const caption = (
    <>
      {group}
      {waiting > 0 && (
        <>
          {' · '}
          <Trans>{waiting} not screened yet</Trans>
        </>
      )}
      {reasons !== '' && (
        <>
          {' · '}
          <Trans>not used although no rule excludes them: {reasons}</Trans>
        </>
      )}
      {skipped > 0 && (
        <>
          {' · '}
          <Trans>{skipped} completed without videos that did not fit into the window</Trans>
        </>
      )}
    </>
  );
  return (
    <Figure
      label={t`Sessions of the group ${group} remaining after each rule: ${used} of ${started} are used, ${accepted} are accepted`}
      caption={caption}
      name={`screening-${funnel.group}`}
      reading={t`Each bar is the number of participants who remain after a rule, in the order of the rules. The last two bars are those used in the analysis and those to be paid.`}
      rows={barsOf(funnel, wordsOf, rules).map(({ key, label, count }) => ({ step: key, label, count }))}
      draw={(width) => drawFunnel(barsOf(funnel, wordsOf, rules), width, t`not asked`)}
      table={<FunnelTable funnel={funnel} rules={rules} />}
    />
  );
}

function FunnelTable({ funnel, rules }: { funnel: GroupOut; rules: readonly RuleOut[] }) {
  const { t } = useLingui();
  const wordsOf = useRuleWords(rules);
  const { steps } = funnel;
  const group = useGroupName()(funnel.group);
  const cellsOf = (key: string, left: number) => {
    const step = steps.find(({ rule }) => rule === key);
    const rule = rules.find((one) => one.rule === key);
    if (isUnasked(rule, step)) return [wordsOf(key), left, t`not asked`, '', ''];
    const follows = rule === undefined ? '' : [rule.use ? t`excluded` : t`not excluded`, rule.pay ? t`paid` : t`not paid`].join(', ');
    return [wordsOf(key), left, step?.broken ?? '', step?.unknown ?? '', follows];
  };
  return (
    <DataTable
      caption={t`Sessions of the group ${group} remaining after each rule`}
      head={[t`step`, t`remaining`, t`violations`, t`unknown`, t`consequence`]}
      numeric={[1, 2, 3]}
      rows={barsOf(funnel, wordsOf, rules).map(({ key, count }) => ({ key, cells: cellsOf(key, count) }))}
    />
  );
}
