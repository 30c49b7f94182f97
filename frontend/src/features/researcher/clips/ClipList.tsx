import { Trans, useLingui } from '@lingui/react/macro';

import type { StudyClipOut } from '../../../shared/api/contract.gen';
import { DataTable } from '../DataTable';
import { conditionOf } from './condition';

/** Clips, each with a button that shows it. */
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
