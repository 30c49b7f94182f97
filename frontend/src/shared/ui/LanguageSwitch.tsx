import { useLingui } from '@lingui/react/macro';

import { chooseLanguage, type Language, languages, useLanguage } from '../i18n/language';

const names: Record<Language, string> = { en: 'English', de: 'Deutsch' };

export function LanguageSwitch({ offered = languages }: { offered?: readonly Language[] }) {
  const { t } = useLingui();
  const current = useLanguage();
  if (offered.length < 2) return null;
  return (
    <nav className="language-switch" aria-label={t`Language`}>
      {offered.map((language) => (
        <button key={language} type="button" lang={language} aria-pressed={language === current} onClick={() => { chooseLanguage(language); }}>
          {names[language]}
        </button>
      ))}
    </nav>
  );
}
