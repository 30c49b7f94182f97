import { Trans, useLingui } from '@lingui/react/macro';

import type { MosOut } from '../../shared/api/contract.gen';
import { decimal } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { DataTable } from './DataTable';
import { drawMos } from './figures/drawMos';
import { colourOf, namesOf, shapeOf } from './figures/encoding';
import { Figure } from './figures/Figure';
import { ceilingOf } from './intervals';
import { NotInPlan } from './plan/unplanned';

/** Mean opinion scores, one figure per network. */
export function MosSection({ mos }: { mos: readonly MosOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  if (mos.length === 0) return null;
  const networks = namesOf(mos, (row) => row.network);
  const stacks = namesOf(mos, (row) => row.stack);
  const ceiling = ceilingOf(mos);
  const labels = [t`extremely bad`, t`bad`, t`poor`, t`fair`, t`good`, t`excellent`, t`ideal`];
  const describe = (row: MosOut) => `${row.stack}: ${decimal(row.mos, 2, language)} [${decimal(row.ci_low, 2, language)}, ${decimal(row.ci_high, 2, language)}]`;
  return (
    <section>
      <h2>
        <Trans>How satisfying the speed was</Trans>
        <NotInPlan analysis="mos" />
      </h2>
      <p className="facts">
        <Trans>Mean opinion score with its 95 % confidence interval over participants. Intervals end where the scale does (1 to 7), since no mean lies beyond it; with very few participants they may cover all of it. With a single participant there is no interval.</Trans>
      </p>
      {ceiling !== null && (
        <p className="warning" role="note">
          {ceiling === 'top' ? (
            <Trans>Most conditions have a mean above 6 on the scale from 1 to 7. So close to its upper end, differences between stacks look smaller than they are (ceiling effect).</Trans>
          ) : (
            <Trans>Most conditions have a mean below 2 on the scale from 1 to 7. So close to its lower end, differences between stacks look smaller than they are (floor effect).</Trans>
          )}
        </p>
      )}
      {networks.map((network) => {
        const rows = mos.filter((row) => row.network === network);
        return (
          <Figure
            key={network}
            label={t`Mean opinion scores in ${network}`}
            caption={network}
            name={`mos-${network}`}
            reading={t`Each mark is the mean opinion score of a stack at a site, on the scale from 1 (extremely bad) to 7 (ideal); the line is its 95 % confidence interval. n is the number of participants. Further right is better.`}
            rows={rows}
            draw={(width) =>
              drawMos(
                rows,
                {
                  labels,
                  axis: t`mean opinion score (MOS) with 95 % interval`,
                  cut: t`interval cut at the end of the scale`,
                  describe,
                  colour: colourOf(networks, network),
                  shapeOf: (stack) => shapeOf(stacks, stack),
                  showContext: namesOf(rows, (row) => row.context).length > 1,
                },
                width,
              )
            }
            table={<MosTable rows={rows} caption={t`Mean opinion scores in ${network}`} />}
          />
        );
      })}
    </section>
  );
}

function MosTable({ rows, caption }: { rows: readonly MosOut[]; caption: string }) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <DataTable
      caption={caption}
      head={[t`site`, t`context`, t`stack`, t`n`, t`MOS`, t`95 % CI from`, t`to`, t`standard deviation`]}
      numeric={[3, 4, 5, 6, 7]}
      rows={rows.map((row) => ({
        key: [row.site, row.context, row.stack].join('/'),
        cells: [
          row.site,
          row.context,
          row.stack,
          row.n,
          decimal(row.mos, 2, language),
          decimal(row.ci_low, 2, language),
          decimal(row.ci_high, 2, language),
          decimal(row.sd, 2, language),
        ],
      }))}
    />
  );
}
