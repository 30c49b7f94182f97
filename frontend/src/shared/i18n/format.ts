import type { Size } from '../player/evidence/evidence';
import type { Language } from './language';

/** A number with a fixed count of decimals, in the language's own form; a dash for unknown. */
export function decimal(value: number | null, digits: number, language: Language): string {
  if (value === null) return '–';
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value).replace('-', '−');
}

export function integer(value: number, language: Language): string {
  return new Intl.NumberFormat(language).format(value);
}

/** A share without decimals. The sign stands behind a space that no end of a line parts, in every language. */
export function percent(share: number | null, language: Language): string {
  if (share === null) return '–';
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(100 * share)}\u00a0%`;
}

/** The level of an interval, or a probability: up to two decimals, and more where two would round it to 100 %. */
export function levelPercent(level: number, language: Language): string {
  let digits = 2;
  const rounded = () => Number((100 * level).toFixed(digits));
  while (level < 1 && rounded() >= 100) digits += 1;
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(rounded())}\u00a0%`;
}

/** A size, which no end of a line parts. */
export function pixels({ width_px, height_px }: Size): string {
  return `${String(width_px)}\u00a0×\u00a0${String(height_px)}`;
}

/** An amount of money; `currency` is its code of three letters. */
export function money(amount: number, currency: string, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount);
}

/** A number as it was written, with no more decimals than it has. */
export function figure(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 6 }).format(value);
}

/** ms as seconds with two decimals. */
export function seconds(ms: number | null, language: Language): string {
  return ms === null ? '–' : decimal(ms / 1000, 2, language);
}

/** A duration in whole seconds, or from a minute and a half on in whole minutes, rounded up. */
export function roughly(ms: number, language: Language): string {
  const [count, unit] = ms < 90_000 ? [ms / 1000, 'second'] : [ms / 60_000, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 }).format(Math.ceil(count));
}

export function dateTime(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

export function date(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(iso));
}

/** A day without a time, such as `2026-11-21`: the same one everywhere. */
export function day(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));
}

export function time(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(new Date(iso));
}

export function fileSize(bytes: number, language: Language): string {
  if (bytes < 1e6) return `${decimal(bytes / 1e3, 0, language)} kB`;
  if (bytes < 1e9) return `${decimal(bytes / 1e6, 1, language)} MB`;
  return `${decimal(bytes / 1e9, 2, language)} GB`;
}

/** The beginning of a digest, as figures, exports and names of files have it. */
export function shortDigest(sha256: string): string {
  return sha256.slice(0, 12);
}
