import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';

import type { StudyRow } from '../../../shared/api/contract.gen';
import { ShareDialog } from './ShareDialog';

/** The owner of a study; for the owner and admins, also links to sharing and the audit log. */
export function SharingLine({ study }: { study: StudyRow }) {
  const [sharing, setSharing] = useState(false);
  const { owner } = study;
  return (
    <div className="facts sharing">
      <span>{owner === null ? <Trans>by the admins</Trans> : <Trans>by {owner}</Trans>}</span>
      {study.rights.includes('share') && (
        <>
          <button type="button" className="button button--quiet button--small" onClick={() => { setSharing(true); }}>
            <Trans>Share …</Trans>
          </button>
          <Link href={`/log?study=${study.sha256}`}>
            <Trans>Audit log</Trans>
          </Link>
        </>
      )}
      {sharing && <ShareDialog sha256={study.sha256} onClose={() => { setSharing(false); }} />}
    </div>
  );
}
