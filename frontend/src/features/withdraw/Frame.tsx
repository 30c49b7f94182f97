import '../../shared/ui/participant.css';
import './withdraw.css';

import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { LanguageSwitch } from '../../shared/ui/LanguageSwitch';
import { useTitle } from '../../shared/ui/page';

/** Layout of the withdrawal pages. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  useTitle(t`Withdraw`);
  return (
    <div className="participant participant--text">
      <header className="participant__head">
        <span className="participant__title">
          <Trans>Withdraw</Trans>
        </span>
        <LanguageSwitch />
      </header>
      <main className="participant__main">{children}</main>
    </div>
  );
}
