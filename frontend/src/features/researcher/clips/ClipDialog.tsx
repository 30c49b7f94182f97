import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { answer, api } from '../../../shared/api/client';
import type { StudyClipDetailOut } from '../../../shared/api/contract.gen';
import { Fault, Wait } from '../../../shared/ui/page';
import { Digest } from '../../../shared/ui/text';
import { clipKey } from '../keys';
import { useOrigin } from '../pageContext';
import { ClipMetricsTable } from './ClipMetricsTable';
import { ClipPlayer } from './ClipPlayer';
import { ClipVotes } from './ClipVotes';
import { conditionOf } from './opened';
import { WideDialog } from './WideDialog';

interface Props {
  /** Digest of the study; `digest` is that of the clip. */
  sha256: string;
  digest: string;
  onClose: () => void;
}

/** Dialog for a clip of the study: video with panel, metrics, and votes unless results are blinded. */
export function ClipDialog({ sha256, digest, onClose }: Props) {
  const origin = useOrigin();
  const clip = useQuery({
    queryKey: [...clipKey(sha256, digest), origin],
    queryFn: () => answer(api.GET('/api/research/studies/{sha256}/clips/{digest}', { params: { path: { sha256, digest }, query: { origin } } })),
    staleTime: 0,
  });
  return (
    <WideDialog title={clip.data === undefined ? <Trans>Clip</Trans> : `${clip.data.site}, ${clip.data.network}, ${conditionOf(clip.data)}`} onClose={onClose}>
      {clip.isPending && <Wait />}
      {clip.isError && clip.data === undefined && <Fault error={clip.error} onRetry={() => void clip.refetch()} />}
      {clip.data !== undefined && <Content clip={clip.data} />}
    </WideDialog>
  );
}

function Content({ clip }: { clip: StudyClipDetailOut }) {
  const { t } = useLingui();
  const roles: Record<(typeof clip.roles)[number], string> = { main: t`main`, training: t`training`, identical: t`identical pair`, control: t`control` };
  const run = clip.sides.map((side) => side.run).join(' | ');
  const shown = clip.roles.map((role) => roles[role]).join(', ');
  const contexts = clip.contexts.join(', ');
  return (
    <>
      <p className="facts">
        <Digest sha256={clip.sha256} /> · <Trans>run {run}</Trans>
        {clip.run_role !== null && ` (${clip.run_role})`} · <Trans>shown as {shown} in {contexts}</Trans>
      </p>
      <ClipPlayer clip={clip} title={`${clip.site}, ${clip.network}, ${conditionOf(clip)}`} />
      {clip.cut === true && (
        <p className="facts">
          <Trans>The clip was cut off before the page had settled: later metrics are unknown.</Trans>
        </p>
      )}
      {clip.moving === true && (
        <p className="facts">
          <Trans>A page has motion that never ends, such as a carousel. Metrics count only its first appearance; metrics of the plain film count all of it.</Trans>
        </p>
      )}
      <h3>
        <Trans>Votes</Trans>
      </h3>
      <ClipVotes clip={clip} />
      <h3>
        <Trans>Metrics</Trans>
      </h3>
      <ClipMetricsTable sides={clip.sides} />
    </>
  );
}
