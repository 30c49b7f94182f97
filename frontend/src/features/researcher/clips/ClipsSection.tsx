import { Trans } from '@lingui/react/macro';
import { useState } from 'react';

import { Fault, Wait } from '../../../shared/ui/page';
import { ClipList } from './ClipList';
import { useClips } from './useClips';

/** All clips of the study in a list; loaded when the section is opened. */
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
