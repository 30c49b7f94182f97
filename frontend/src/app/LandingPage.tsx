import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';

import { useMe } from '../shared/account/useMe';
import { PageHeading } from '../shared/ui/page';

export function LandingPage() {
  const me = useMe();
  return (
    <div className="landing">
      <PageHeading>
        <Trans>Can people see the difference?</Trans>
      </PageHeading>
      <div className="prose">
        <p>
          <Trans>
            Eyelevel replays recorded websites over different protocol stacks under equal conditions, films how they load, shows the films to people, and reports how well technical metrics predict their ratings.
          </Trans>
        </p>
        <p>
          <Trans>To take part in a study, please use the link that you were given.</Trans>
        </p>
      </div>
      <div className="actions">
        {me.data == null ? (
          <Link href="/login" className="button">
            <Trans>Log in</Trans>
          </Link>
        ) : (
          <>
            <Link href="/research" className="button">
              <Trans>Studies</Trans>
            </Link>
            {me.data.role === 'admin' && (
              <Link href="/admin" className="button button--quiet">
                <Trans>Batches</Trans>
              </Link>
            )}
          </>
        )}
      </div>
    </div>
  );
}
