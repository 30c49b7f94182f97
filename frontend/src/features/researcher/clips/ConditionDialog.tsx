import { Trans } from '@lingui/react/macro';
import { useState } from 'react';

import { Fault } from '../../../shared/ui/page';
import { ClipDialog } from './ClipDialog';
import { ClipList, useClips } from './ClipsSection';
import { type Condition, conditionOf, isOf } from './opened';
import { WideDialog } from './WideDialog';

interface Props {
  /** The study's digest. */
  sha256: string;
  condition: Condition;
  onClose: () => void;
}

/** Lists the clips of a condition, and shows one on request; shows the clip directly if there is only one. */
export function ConditionDialog({ sha256, condition, onClose }: Props) {
  const [shown, setShown] = useState<string | null>(null);
  const clips = useClips(sha256, true);
  const title = `${condition.site}, ${condition.network}, ${conditionOf(condition)}`;
  if (clips.isError && clips.data === undefined)
    return (
      <WideDialog title={title} onClose={onClose}>
        <Fault error={clips.error} onRetry={() => void clips.refetch()} />
      </WideDialog>
    );
  // a dialog that is replaced by another dialog would not return the focus to the mark
  if (clips.data === undefined) return null;
  const matching = clips.data.filter((clip) => isOf(clip, condition));
  const only = matching.length === 1 ? matching[0] : undefined;
  if (only !== undefined) return <ClipDialog sha256={sha256} digest={only.sha256} onClose={onClose} />;
  return (
    <>
      <WideDialog title={title} onClose={onClose}>
        <p className="facts">
          <Trans>Votes on these clips are pooled in this result.</Trans>
        </p>
        <ClipList clips={matching} onOpen={setShown} />
      </WideDialog>
      {shown !== null && <ClipDialog sha256={sha256} digest={shown} onClose={() => { setShown(null); }} />}
    </>
  );
}
