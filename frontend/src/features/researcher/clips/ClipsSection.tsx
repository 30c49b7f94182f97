import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { StudyClipOut } from '../../../shared/api/contract.gen';
import { Fault, Wait } from '../../../shared/ui/page';
import { clipsKey } from '../keys';
import { DataTable } from '../tables/DataTable';
import { conditionOf } from './opened';

/** List of all clips of the study, loaded when the section is opened. */
export function ClipsSection({ sha256, onOpen }: { sha256: string; onOpen: (digest: string) => void }) {
  const [open, setOpen] = useState(false);
  const clips = useClips(sha256, open);
  return (
    <details className="fold" onToggle={(event) => { setOpen(event.currentTarget.open); }}>
      <summary>
        <Trans>Clips of this study</Trans>
      </summary>
      {open && clips.data !== undefined && <ClipList clips={clips.data} onOpen={onOpen} />}
      {clips.data === undefined && open && (clips.error === null ? <Wait /> : <Fault error={clips.error} onRetry={() => void clips.refetch()} />)}
    </details>
  );
}

/** Query for all clips of a study, enabled by `wanted`. */
export function useClips(sha256: string, wanted: boolean) {
  return useQuery({
    queryKey: clipsKey(sha256),
    queryFn: () => answer(api.GET('/api/research/studies/{sha256}/clips', { params: { path: { sha256 } } })),
    enabled: wanted,
    // a study never changes
    staleTime: Infinity,
  });
}

/** Table of clips, each with a button that shows the clip. */
export function ClipList({ clips, onOpen }: { clips: readonly StudyClipOut[]; onOpen: (digest: string) => void }) {
  const { t } = useLingui();
  const roles: Record<StudyClipOut['roles'][number], string> = { main: t`main`, training: t`training`, identical: t`identical pair`, control: t`control` };
  const nameOf = (clip: StudyClipOut) => {
    const name = `${clip.site}, ${clip.network}, ${conditionOf(clip)}`;
    const { run } = clip;
    return t`Show the clip: ${name}, run ${run}`;
  };
  return (
    <DataTable
      caption={t`Clips of this study`}
      head={[t`site`, t`network`, t`condition`, t`run`, t`role`, t`clip`]}
      numeric={[3]}
      rows={clips.map((clip) => ({
        key: clip.sha256,
        cells: [
          clip.site,
          clip.network,
          conditionOf(clip),
          clip.run,
          clip.roles.map((role) => roles[role]).join(', '),
          <button key="show" type="button" className="button button--quiet button--small" aria-label={nameOf(clip)} onClick={() => { onOpen(clip.sha256); }}>
            <Trans>Show</Trans>
          </button>,
        ],
      }))}
    />
  );
}
