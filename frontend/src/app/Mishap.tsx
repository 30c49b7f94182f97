import { Component, type ErrorInfo, type ReactNode } from 'react';

/** Error boundary for errors of the pages. Its text is in both languages, because the catalogs may be missing. */
export class Mishap extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="mishap" role="alert">
        <p lang="en">Something went wrong on this page. Please reload it; nothing that you answered is lost.</p>
        <p lang="de">Auf dieser Seite ist etwas schiefgegangen. Bitte laden Sie sie neu; keine Ihrer Antworten ist verloren.</p>
        <button type="button" className="button" onClick={() => { location.reload(); }}>
          Reload / Neu laden
        </button>
      </main>
    );
  }
}
