import { useLingui } from '@lingui/react/macro';

import type { EffectOut } from '../../../shared/api/contract.gen';
import { decimal, levelPercent } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { DataTable } from '../tables/DataTable';

/** Table of verdict, effect and intervals per network. The effects belong to one hypothesis, so they share unit and levels. */
export function EffectsTable({ effects }: { effects: readonly [EffectOut, ...EffectOut[]] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const show = useAmount();
  const [{ hypothesis, kind, level, inner_level }] = effects;
  const [outer, inner] = [levelPercent(level, language), levelPercent(inner_level, language)];
  const words: Record<EffectOut['verdict'], string> = {
    different: t`different`,
    'different, but smaller than the margin': t`different, but smaller than the margin`,
    equivalent: t`equivalent`,
    undecided: t`undecided`,
  };
  const claims: Record<string, string> = { supported: t`supported`, contradicted: t`contradicted`, undecided: t`undecided` };
  const between = (effect: EffectOut, from: number | null, to: number | null) => {
    const [low, high] = [show(effect, from), show(effect, to)];
    return from === null ? low : t`${low} to ${high}`;
  };
  return (
    <DataTable
      caption={t`Verdict on ${hypothesis} by network`}
      head={[t`network`, t`verdict`, t`hypothesis`, kind === 'rate' ? t`difference (points)` : t`difference (percentage points)`, t`${outer} interval`, t`${inner} interval (equivalence)`]}
      numeric={[3, 4, 5]}
      rows={effects.map((effect) => ({
        key: effect.network,
        cells: [effect.network, words[effect.verdict], claims[effect.claim], show(effect, effect.estimate), between(effect, effect.ci_low, effect.ci_high), between(effect, effect.inner_low, effect.inner_high)],
      }))}
    />
  );
}

/** Returns a function that formats a margin or another size with its unit. */
export function useSize(): (effect: EffectOut, value: number | null) => string {
  const { t } = useLingui();
  const show = useAmount();
  return (effect, value) => {
    const size = show(effect, value).replace('+', '');
    return effect.kind === 'rate' ? t`${size} points` : t`${size} percentage points`;
  };
}

/** Returns a function that formats an effect with its sign, in points of the scale or in percentage points. */
export function useAmount(): (effect: EffectOut, value: number | null) => string {
  const language = useLanguage();
  return (effect, value) => {
    if (value === null) return '–';
    const size = effect.kind === 'rate' ? decimal(Math.abs(value), 2, language) : decimal(Math.abs(100 * value), 0, language);
    const sign = value < 0 ? '−' : '+';
    return /[1-9]/.test(size) ? `${sign}${size}` : size;
  };
}
