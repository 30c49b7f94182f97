import { Trans, useLingui } from '@lingui/react/macro';

import type { ValueOut } from '../../shared/api/contract.gen';
import { decimal } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { DataTable } from './DataTable';

/** Mean values of kinds of trial with a scale of their own. */
export function ValuesSection({ values }: { values: readonly ValueOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  if (values.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>Mean values on other scales</Trans>
      </h2>
      <p className="facts">
        <Trans>For trial kinds with another scale, such as the slider from 0 to 100. With the 95 % confidence interval over participants, cut at the ends of the scale.</Trans>
      </p>
      <DataTable
        caption={t`Mean values per condition`}
        head={[t`kind`, t`context`, t`site`, t`network`, t`stack`, t`n`, t`mean`, t`95 % CI from`, t`to`]}
        numeric={[5, 6, 7, 8]}
        rows={values.map((row) => ({
          key: [row.kind, row.context, row.site, row.network, row.stack].join('/'),
          cells: [
            row.kind,
            row.context,
            row.site,
            row.network,
            row.stack,
            row.n,
            decimal(row.mean, 1, language),
            decimal(row.ci_low, 1, language),
            decimal(row.ci_high, 1, language),
          ],
        }))}
      />
    </section>
  );
}
