import { Trans, useLingui } from '@lingui/react/macro';

interface Props {
  page: number;
  pages: number;
  total: number;
  busy: boolean;
  onPage: (page: number) => void;
}

/** Pagination buttons of a long list, with the current page. */
export function PageControls({ page, pages, total, busy, onPage }: Props) {
  const { t } = useLingui();
  if (pages === 1) return null;
  const steps = [
    { key: 'first', words: t`First`, to: 1, off: page === 1 },
    { key: 'previous', words: t`Previous`, to: page - 1, off: page === 1 },
    { key: 'next', words: t`Next`, to: page + 1, off: page === pages },
    { key: 'last', words: t`Last`, to: pages, off: page === pages },
  ];
  return (
    <nav className="pages" aria-label={t`Pages of the list`}>
      {steps.map(({ key, words, to, off }) => (
        <button key={key} type="button" className="button button--quiet button--small" disabled={off || busy} onClick={() => { onPage(to); }}>
          {words}
        </button>
      ))}
      <span className="facts" role="status">
        <Trans>
          Page {page} of {pages}, {total} in all
        </Trans>
      </span>
    </nav>
  );
}
