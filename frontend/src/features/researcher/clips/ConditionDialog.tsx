import { Trans } from '@lingui/react/macro';

import { Fault, Wait } from '../../../shared/ui/page';
import { ClipDialog } from './ClipDialog';
import { ClipList } from './ClipList';
import { conditionOf } from './condition';
import { type Condition, isOf } from './opened';
import { useClips } from './useClips';
import { WideDialog } from './WideDialog';

interface Props {
  /** The study's digest. */
  sha256: string;
  condition: Condition;
  onOpen: (digest: string) => void;
  onClose: () => void;
}

/** The clips of a condition in a list; of one clip, the clip itself. */
export function ConditionDialog({ sha256, condition, onOpen, onClose }: Props) {
  const clips = useClips(sha256, true);
  const own = clips.data?.filter((clip) => isOf(clip, condition));
  const only = own?.length === 1 ? own[0] : undefined;
  if (only !== undefined) return <ClipDialog sha256={sha256} digest={only.sha256} onClose={onClose} />;
  return (
    <WideDialog title={`${condition.site}, ${condition.network}, ${conditionOf(condition)}`} onClose={onClose}>
      {clips.isPending && <Wait />}
      {clips.isError && own === undefined && <Fault error={clips.error} onRetry={() => void clips.refetch()} />}
      {own !== undefined && (
        <>
          <p className="facts">
            <Trans>Votes on these clips are pooled in this result.</Trans>
          </p>
          <ClipList clips={own} onOpen={onOpen} />
        </>
      )}
    </WideDialog>
  );
}
