import type { EffectOut } from '../../shared/api/contract.gen';
import { decimal } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';

/** An effect in points of the scale or in percentage points, with its sign. */
export function useAmount(): (effect: EffectOut, value: number | null) => string {
  const language = useLanguage();
  return (effect, value) => {
    if (value === null) return '–';
    const own = effect.kind === 'rate' ? decimal(Math.abs(value), 2, language) : decimal(Math.abs(100 * value), 0, language);
    return `${value < 0 ? '−' : '+'}${own}`;
  };
}
