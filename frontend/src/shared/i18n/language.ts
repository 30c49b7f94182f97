import { i18n, type Messages } from '@lingui/core';
import { useLingui } from '@lingui/react';

import type { Text } from '../api/forms';
import * as de from '../../locales/participant/de.po';
import * as en from '../../locales/participant/en.po';
import { recall, remember } from '../lib/storage';

export type Language = 'en' | 'de';
export const languages: readonly Language[] = ['en', 'de'];

const participant: Record<Language, Messages> = { en: en.messages, de: de.messages };
const storageKey = 'eyelevel.language';

type CatalogLoader = (language: Language) => Promise<Messages>;
const loaders: CatalogLoader[] = [
  // both at once, because loading one later would cost a participant another round trip
  (language) => Promise.resolve(participant[language]),
];
let active: Language = 'en';

/** Adds a catalog that only some pages need, such as the staff pages. */
export async function addCatalog(loader: CatalogLoader): Promise<void> {
  loaders.push(loader);
  i18n.load(active, await loader(active));
}

export function isLanguage(value: unknown): value is Language {
  return value === 'en' || value === 'de';
}

/** Returns the language that the person chose in this browser, or null. */
export function chosenLanguage(): Language | null {
  const remembered = recall(storageKey);
  return isLanguage(remembered) ? remembered : null;
}

/** Returns the chosen language, otherwise that of the browser, otherwise English. */
export function preferredLanguage(): Language {
  const chosen = chosenLanguage();
  if (chosen !== null) return chosen;
  for (const tag of navigator.languages) {
    const code = tag.slice(0, 2).toLowerCase();
    if (isLanguage(code)) return code;
  }
  return 'en';
}

export async function activateLanguage(language: Language): Promise<void> {
  const catalogs = await Promise.all(loaders.map((load) => load(language)));
  for (const messages of catalogs) i18n.load(language, messages);
  active = language;
  document.documentElement.lang = language;
  i18n.activate(language);
}

export function chooseLanguage(language: Language): void {
  remember(storageKey, language);
  void activateLanguage(language);
}

export function useLanguage(): Language {
  const { i18n: current } = useLingui();
  return isLanguage(current.locale) ? current.locale : 'en';
}

/** Returns a study's text in the language, or in any language that the study has. */
export function textIn(text: Text, language: Language): string {
  return text[language] ?? text.en ?? text.de ?? '';
}
