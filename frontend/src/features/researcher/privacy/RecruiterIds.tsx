import { Plural, Trans } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { Privacy } from '../../../shared/api/contract.gen';
import { privacyKey } from '../keys';
import { ForgetDialog } from './ForgetDialog';

/** Number and retention of recruiters' ids, with a button that deletes them. */
export function RecruiterIds({ sha256, name, privacy, mayEdit }: { sha256: string; name: string; privacy: Privacy; mayEdit: boolean }) {
  const cache = useQueryClient();
  const [asking, setAsking] = useState(false);
  const forget = useMutation({
    mutationFn: () => answer(api.POST('/api/research/studies/{sha256}/recruiter-ids/forget', { params: { path: { sha256 } }, body: { confirm: name } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: privacyKey(sha256) }),
  });
  const { recruiter_ids: kept, retention_months: months } = privacy;
  if (kept === 0) return null;
  return (
    <div className="recruiter-ids">
      <p className="facts">
        <Plural value={kept} one="# ID of the recruiter is stored, apart from the answers." other="# IDs of the recruiter are stored, apart from the answers." />{' '}
        {months === null ? (
          <Trans>The study sets no retention period.</Trans>
        ) : (
          <Plural value={months} one="They are deleted # month after a participant's session." other="They are deleted # months after a participant's session." />
        )}
      </p>
      {mayEdit && (
        <button type="button" className="button button--quiet button--small" disabled={forget.isPending} onClick={() => { setAsking(true); }}>
          <Trans>Delete the recruiter's IDs …</Trans>
        </button>
      )}
      {forget.error !== null && (
        <p role="alert" className="field-error">
          {forget.error.message}
        </p>
      )}
      {asking && (
        <ForgetDialog
          count={kept}
          onCancel={() => { setAsking(false); }}
          onForget={() => {
            setAsking(false);
            forget.mutate();
          }}
        />
      )}
    </div>
  );
}
