import { Trans, useLingui } from '@lingui/react/macro';

import type { ComparisonOut } from '../../shared/api/contract.gen';
import { percent } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { DataTable } from './DataTable';
import { drawComparisons } from './figures/drawComparisons';
import { namesOf } from './figures/encoding';
import { Figure } from './figures/Figure';
import { NotInPlan } from './plan/unplanned';

const pairOf = (row: ComparisonOut) => `${row.stack_a} – ${row.stack_b}`;

/** Side by side: which stack people found faster, one figure per pair and network. */
export function ComparisonSection({ comparisons }: { comparisons: readonly ComparisonOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  if (comparisons.length === 0) return null;
  const groups = namesOf(comparisons, (row) => `${row.network} · ${pairOf(row)}`);
  return (
    <section>
      <h2>
        <Trans>Which side loaded faster</Trans>
        <NotInPlan analysis="comparisons" />
      </h2>
      <p className="facts">
        <Trans>Shares of all answers. The line is the 95 % Wilson interval of the share that found the stack named first faster.</Trans>
      </p>
      {groups.map((group) => {
        const rows = comparisons
          .filter((row) => `${row.network} · ${pairOf(row)}` === group)
          .sort((a, b) => a.site.localeCompare(b.site, 'en') || a.context.localeCompare(b.context, 'en'));
        const several = namesOf(rows, (row) => row.context).length > 1;
        return (
          <Figure
            key={group}
            label={t`Shares of answers, ${group}`}
            caption={group}
            name={`pairs-${group}`}
            reading={t`Each bar has all answers about a pair, divided into those that chose the stack on the left, those that saw no difference and those that chose the stack on the right. The line is the 95 % interval of the left share.`}
            rows={rows}
            draw={(width) =>
              drawComparisons(
                rows,
                {
                  noDifference: t`no difference`,
                  share: (share) => percent(share, language),
                  name: (row) => (several ? `${row.site}, ${row.context}` : row.site),
                  describe: (row) =>
                    `${row.stack_a} ${percent(row.share_a, language)} [${percent(row.ci_low, language)}, ${percent(row.ci_high, language)}], n = ${String(row.n)}`,
                },
                width,
              )
            }
            table={<ComparisonTable rows={rows} caption={t`Shares of answers, ${group}`} />}
          />
        );
      })}
    </section>
  );
}

function ComparisonTable({ rows, caption }: { rows: readonly ComparisonOut[]; caption: string }) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <DataTable
      caption={caption}
      head={[t`site`, t`context`, t`stack A`, t`stack B`, t`n`, t`A faster`, t`no difference`, t`B faster`, t`share of A`, t`95 % CI from`, t`to`]}
      numeric={[4, 5, 6, 7, 8, 9, 10]}
      rows={rows.map((row) => ({
        key: [row.site, row.context].join('/'),
        cells: [
          row.site,
          row.context,
          row.stack_a,
          row.stack_b,
          row.n,
          row.prefer_a,
          row.no_difference,
          row.prefer_b,
          percent(row.share_a, language),
          percent(row.ci_low, language),
          percent(row.ci_high, language),
        ],
      }))}
    />
  );
}
