import { Trans, useLingui } from '@lingui/react/macro';

import type { IdenticalAnswersOut, IdenticalOut, LayoutOut, RepeatOut } from '../../shared/api/contract.gen';
import { decimal, percent } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { DataTable } from './DataTable';

interface Props {
  all: IdenticalAnswersOut | null;
  identical: readonly IdenticalOut[];
  repeats: readonly RepeatOut[];
  layouts: readonly LayoutOut[];
}

/** Reliability of the answers: false alarms on identical (A/A) pairs, agreement of repeated questions, and layouts. */
export function TrustSection({ all, identical, repeats, layouts }: Props) {
  return (
    <>
      {all !== null && <IdenticalPairs all={all} identical={identical} />}
      {repeats.length > 0 && <Repeats repeats={repeats} />}
      {new Set(layouts.map((row) => row.layout)).size > 1 && <Layouts layouts={layouts} />}
    </>
  );
}

function IdenticalPairs({ all, identical }: { all: IdenticalAnswersOut; identical: readonly IdenticalOut[] }) {
  const { t } = useLingui();
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
          Both sides showed the same stack. In {share} [{low}, {high}] of {n} answers, participants still reported a difference: {left} chose left, {right} right. This false-alarm rate limits how finely the other comparisons can be read.
        </Trans>
      </p>
      <DataTable
        caption={t`Answers about identical pairs`}
        head={[t`network`, t`stack`, t`n`, t`people`, t`left`, t`no difference`, t`right`, t`reported a difference`, t`95 % CI from`, t`to`]}
        numeric={[2, 3, 4, 5, 6, 7, 8, 9]}
        rows={identical.map((row) => ({
          key: [row.network, row.stack].join('/'),
          cells: [
            row.network,
            row.stack,
            row.n,
            row.participants,
            row.chose_left,
            row.no_difference,
            row.chose_right,
            percent(row.share_different, language),
            percent(row.ci_low, language),
            percent(row.ci_high, language),
          ],
        }))}
      />
    </section>
  );
}

function Repeats({ repeats }: { repeats: readonly RepeatOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <section>
      <h2>
        <Trans>Questions asked twice</Trans>
      </h2>
      <p className="facts">
        <Trans>How often the second answer equals the first, and their mean difference on the scale of the trial kind.</Trans>
      </p>
      <DataTable
        caption={t`Agreement between first and second answers`}
        head={[t`kind`, t`n`, t`people`, t`same answer`, t`95 % CI from`, t`to`, t`mean difference`]}
        numeric={[1, 2, 3, 4, 5, 6]}
        rows={repeats.map((row) => ({
          key: row.kind,
          cells: [
            row.kind,
            row.n,
            row.participants,
            percent(row.share_equal, language),
            percent(row.ci_low, language),
            percent(row.ci_high, language),
            decimal(row.mean_difference, 2, language),
          ],
        }))}
      />
    </section>
  );
}

function Layouts({ layouts }: { layouts: readonly LayoutOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <section>
      <h2>
        <Trans>Layout of the answers</Trans>
      </h2>
      <p className="facts">
        <Trans>In narrow windows, answers stand in a column. All results pool both layouts; a difference here can also be one of devices.</Trans>
      </p>
      <DataTable
        caption={t`Answers in a row and in a column`}
        head={[t`kind`, t`layout`, t`people`, t`votes`, t`mean`, t`SD`]}
        numeric={[2, 3, 4, 5]}
        rows={layouts.map((row) => ({
          key: [row.kind, row.layout].join('/'),
          cells: [
            row.kind,
            row.layout === 'row' ? t`in a row` : t`in a column`,
            row.n,
            row.votes,
            decimal(row.mean, 2, language),
            decimal(row.sd, 2, language),
          ],
        }))}
      />
    </section>
  );
}
