import type { Size } from '../player/evidence/evidence';
import type { Language } from './language';

/** Formats a number with a fixed number of decimals in the language's form; a dash if unknown. */
export function decimal(value: number | null, digits: number, language: Language): string {
  if (value === null) return '–';
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value).replace('-', '−');
}

export function integer(value: number, language: Language): string {
  return new Intl.NumberFormat(language).format(value);
}

/** Formats a share as a percentage without decimals, with a non-breaking space before the sign. */
export function percent(share: number | null, language: Language): string {
  if (share === null) return '–';
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(100 * share)}\u00a0%`;
}

/** Formats the level of an interval, or a probability, with up to two decimals, and more if two would round it to 100 %. */
export function levelPercent(level: number, language: Language): string {
  let digits = 2;
  const rounded = () => Number((100 * level).toFixed(digits));
  while (level < 1 && rounded() >= 100) digits += 1;
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(rounded())}\u00a0%`;
}

/** Formats a size with non-breaking spaces. */
export function pixels({ width_px, height_px }: Size): string {
  return `${String(width_px)}\u00a0×\u00a0${String(height_px)}`;
}

/** Formats an amount of money; `currency` is the three-letter code. */
export function money(amount: number, currency: string, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount);
}

/** Formats a number without trailing zeros. */
export function figure(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 6 }).format(value);
}

/** Formats ms as seconds with two decimals. */
export function seconds(ms: number | null, language: Language): string {
  return ms === null ? '–' : decimal(ms / 1000, 2, language);
}

/** Formats a duration in whole seconds, or from 90 s on in whole minutes, rounded up. */
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

/** Formats a date without time, such as `2026-11-21`, independent of the time zone. */
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

/** The first 12 characters of a digest, as in figures, exports and file names. */
export function shortDigest(sha256: string): string {
  return sha256.slice(0, 12);
}
