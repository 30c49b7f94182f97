import { Trans } from '@lingui/react/macro';
import { createContext, type ReactNode, use } from 'react';

import type { StudyText } from '../../../shared/api/forms';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import { LanguageSwitch } from '../../../shared/ui/LanguageSwitch';
import { DocumentTitle } from '../../../shared/ui/page';
import { Contact } from '../../../shared/ui/text';

/** Restarts a researcher's preview. Null for participants. */
export const Preview = createContext<(() => void) | null>(null);

interface Props {
  study?: StudyText;
  /** Shown at the right of the header instead of the language switch, which moves to the footer. */
  aside?: ReactNode;
  /** `film`: the page uses the full width, and the language switch is hidden to save height. */
  width?: 'text' | 'film';
  foot?: ReactNode;
  /** The heading of the page is the study's title. */
  headed?: boolean;
  children: ReactNode;
}

/** Layout of all participant pages: header, footer, contact and language switch. */
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
