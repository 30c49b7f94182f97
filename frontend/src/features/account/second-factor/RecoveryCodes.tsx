import { Trans, useLingui } from '@lingui/react/macro';

import { saveFile } from '../../../shared/api/download';
import { CopyButton } from '../../../shared/ui/CopyButton';

/** Shows new recovery codes, once. */
export function RecoveryCodes({ username, codes, onStored }: { username: string; codes: string[]; onStored: () => void }) {
  const { t } = useLingui();
  const platform = location.host;
  const text = [t`Recovery codes of ${username} at ${platform}`, '', ...codes, ''].join('\n');
  return (
    <div className="secret recovery">
      <p role="status">
        <Trans>
          The second factor is on. Store these recovery codes now: they are shown only once. If you lose your app, each code lets you log in once.
        </Trans>
      </p>
      <p className="facts">{t`Recovery codes of ${username} at ${platform}`}</p>
      <ol className="recovery__codes" aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="actions">
        <CopyButton text={text} />
        <button type="button" className="button button--quiet" onClick={() => { saveFile({ name: `eyelevel-${username}.txt`, content: new Blob([text], { type: 'text/plain' }) }); }}>
          <Trans>Download</Trans>
        </button>
        <button type="button" className="button button--quiet" onClick={() => { window.print(); }}>
          <Trans>Print</Trans>
        </button>
        <button type="button" className="button" onClick={onStored}>
          <Trans>I have stored them</Trans>
        </button>
      </div>
    </div>
  );
}
