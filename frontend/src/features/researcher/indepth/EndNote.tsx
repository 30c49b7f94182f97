import { Plural, Trans, useLingui } from '@lingui/react/macro';

import type { InDepthTableOut } from '../../../shared/api/contract.gen';

interface Condition {
  name: string;
  effect: string;
}

/** Says in which conditions over a quarter of the votes lie at an end of the scale; nothing where there are none. */
export function EndNote({ tables }: { tables: readonly InDepthTableOut[] }) {
  const { t } = useLingui();
  const found = endConditions(tables);
  if (found.length === 0) return null;
  const ends: Record<string, string> = { ceiling: t`at the upper end`, floor: t`at the lower end`, both: t`at both ends` };
  return (
    <div className="warning" role="note">
      <p>
        <Plural
          value={found.length}
          one="In # condition, over a quarter of the votes lie at an end of the scale. There the scale may not tell better or worse clips apart."
          other="In # conditions, over a quarter of the votes lie at an end of the scale. There the scale may not tell better or worse clips apart."
        />
      </p>
      <details>
        <summary>
          <Trans>Which conditions</Trans>
        </summary>
        <ul>
          {found.map(({ name, effect }) => (
            <li key={name}>
              {name}: {ends[effect] ?? effect}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/** The conditions of the table `good-or-better` with an end effect; rows over all sites and contexts are left out. */
export function endConditions(tables: readonly InDepthTableOut[]): Condition[] {
  const table = tables.find(({ name }) => name === 'good-or-better');
  if (table === undefined) return [];
  const place = (column: string) => table.columns.findIndex(({ name }) => name === column);
  const [site, effect] = [place('site'), place('end_effect')];
  const named = ['site', 'network', 'stack', 'context'].map(place);
  return table.rows
    .filter((row) => row[site] !== null && row[effect] !== 'none')
    .map((row) => ({ name: named.map((one) => String(row[one])).join(', '), effect: String(row[effect]) }));
}
