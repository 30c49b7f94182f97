import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useRef } from 'react';
import { Trans } from '@lingui/react/macro';

import { useLanguage } from '../i18n/language';

/** The end of the document title, after the page's heading; null if titles are set elsewhere. */
export const DocumentTitle = createContext<string | null>(null);

/** A page's heading. It receives the focus when it appears, so that a screen reader starts reading there. */
export function PageHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  const end = use(DocumentTitle);
  useLanguage(); // render again when the language changes, so that the title follows the heading
  // together with the heading, so that no moment has them in two languages
  useLayoutEffect(() => {
    const text = heading.current?.textContent ?? '';
    if (end !== null) document.title = end === '' || end === text ? text : `${text} - ${end}`;
  });
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** A page that consists of a message. */
export function Notice({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <section className="notice">
      <PageHeading>{title}</PageHeading>
      {children}
    </section>
  );
}

/** The main button of a page or notice. `quiet`: less prominent, because another action comes first. */
export function Action({ quiet = false, onClick, children }: { quiet?: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <div className="actions">
      <button type="button" className={quiet ? 'button button--quiet' : 'button'} onClick={onClick}>
        {children}
      </button>
    </div>
  );
}

/** Shown while data is loading; hidden at first (by CSS), so that fast pages do not flicker. */
export function Wait() {
  return (
    <p className="wait" role="status">
      <Trans>One moment …</Trans>
    </p>
  );
}

/** Shown when data could not be loaded: the error message and a retry button. */
export function Fault({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className="fault" role="alert">
      <p>{error.message}</p>
      <button type="button" className="button button--quiet button--small" onClick={onRetry}>
        <Trans>Try again</Trans>
      </button>
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
