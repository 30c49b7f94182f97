import { Trans, useLingui } from '@lingui/react/macro';
import * as v from 'valibot';

import { figure } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';

/** A hypothesis of a frozen plan: its sentence and, if it has a kind, the fields by which it is answered. */
export const Hypothesis = v.object({
  key: v.string(),
  says: v.string(),
  kind: v.optional(v.picklist(['rate', 'compare', 'metrics'])),
  pair: v.optional(v.tuple([v.string(), v.string()])),
  networks: v.optional(v.picklist(['each', 'pooled'])),
  over: v.optional(v.array(v.string())),
  expects: v.optional(v.picklist(['higher', 'lower', 'different', 'equivalent'])),
  margin: v.optional(v.number()),
  margin_reason: v.optional(v.string()),
  metric: v.optional(v.string()),
});
export type Hypothesis = v.InferOutput<typeof Hypothesis>;

/** The interpretation of a hypothesis by the analysis, in one line. */
export function Reading({ of }: { of: Hypothesis }) {
  const { metric, pair } = of;
  if (of.kind === 'metrics')
    return (
      <p className="facts">
        <Trans>Interpreted as: only {metric} can agree best with mean opinion scores, within sites and over all networks.</Trans>
      </p>
    );
  if (of.kind === undefined || pair === undefined)
    return (
      <p className="facts">
        <Trans>This hypothesis is not answered automatically, because it has no kind.</Trans>
      </p>
    );
  return <OfPair of={of} pair={pair} />;
}

function OfPair({ of, pair: [first, second] }: { of: Hypothesis; pair: readonly [string, string] }) {
  const where = useWhere(of);
  const expected = useExpected(of);
  return (
    <p className="facts">
      {of.kind === 'rate' ? (
        <Trans>
          Interpreted as: change of the mean opinion score from {first} to {second}, {where}; expected: {expected}.
        </Trans>
      ) : (
        <Trans>
          Interpreted as: share of answers for {first} and for {second}, {where}; expected of {second}: {expected}.
        </Trans>
      )}
    </p>
  );
}

function useWhere({ networks, over }: Hypothesis): string {
  const { t } = useLingui();
  const language = useLanguage();
  const named = over === undefined ? null : new Intl.ListFormat(language).format(over);
  if (networks === 'pooled') return named === null ? t`over all networks together` : t`over ${named} together`;
  if (named === null) return t`on each network`;
  return over?.length === 1 ? t`on ${named}` : t`on each of ${named}`;
}

function useExpected({ expects, margin }: Hypothesis): string {
  const { t } = useLingui();
  const language = useLanguage();
  const within = margin === undefined ? '–' : figure(margin, language);
  switch (expects) {
    case 'higher':
      return t`higher`;
    case 'lower':
      return t`lower`;
    case 'different':
      return t`different, in either direction`;
    case 'equivalent':
      return t`equivalent, that is, different by less than ${within}`;
    case undefined:
      return t`not stated`;
  }
}
