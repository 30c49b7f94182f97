import { Trans } from '@lingui/react/macro';
import { createContext, type ReactNode, use } from 'react';

import type { StudyText } from '../../../shared/api/forms';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import { LanguageSwitch } from '../../../shared/ui/LanguageSwitch';
import { DocumentTitle } from '../../../shared/ui/page';
import { Contact } from '../../../shared/ui/text';

/** Restarts a researcher's preview, of which nothing is stored as data. Null for participants. */
export const Preview = createContext<(() => void) | null>(null);

interface Props {
  study?: StudyText;
  /** At the right of the head in place of the languages, which are then in the foot. */
  aside?: ReactNode;
  /** `film`: the page is as wide as the window allows, and languages would cost the film height. */
  width?: 'text' | 'film';
  foot?: ReactNode;
  /** The page's own heading is the study's title. */
  headed?: boolean;
  children: ReactNode;
}

/** What all pages of a participant have around them. */
export function Shell({ study, aside, width = 'text', foot, headed = false, children }: Props) {
  const language = useLanguage();
  const startOver = use(Preview);
  const title = study === undefined ? '' : textIn(study.title, language);
  const languages = study !== undefined && width === 'text' && <LanguageSwitch offered={study.languages} />;
  return (
    <div className={`participant participant--${width}`}>
      {startOver !== null && (
        <aside className="participant__aside">
          <div className="participant__preview" role="note">
            <Trans>Preview: answers are not stored as study data</Trans>
            <button type="button" className="button button--quiet button--small" onClick={startOver}>
              <Trans>Start over</Trans>
            </button>
          </div>
        </aside>
      )}
      <header className="participant__head">
        <span className="participant__title">{headed ? '' : title}</span>
        {aside ?? languages}
      </header>
      <main className="participant__main">
        <DocumentTitle value={title}>{children}</DocumentTitle>
      </main>
      <footer className="participant__foot">
        {foot}
        {aside !== undefined && languages}
        {study !== undefined && (
          <span className="participant__contact">
            <Trans>
              Questions? <Contact contact={study.contact} />
            </Trans>
          </span>
        )}
      </footer>
    </div>
  );
}
