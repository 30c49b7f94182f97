import { Trans, useLingui } from '@lingui/react/macro';

import type { PlayFailures } from '../../../shared/api/contract.gen';
import { DataTable } from '../tables/DataTable';

interface Props {
  failures: readonly PlayFailures[];
  /** Shows a clip. */
  onOpen: (sha256: string) => void;
}

/** Table of clips that did not play for participants, by browser. */
export function PlayFailuresSection({ failures, onOpen }: Props) {
  const { t } = useLingui();
  if (failures.length === 0) return null;
  const faults: Record<PlayFailures['fault'], string> = {
    undecodable: t`the browser shows no picture`,
    damaged: t`the video arrives damaged`,
    gone: t`the server no longer has the video`,
    incomplete: t`the transfer is interrupted`,
  };
  return (
    <section>
      <h2>
        <Trans>Videos that did not play</Trans>
      </h2>
      <p className="facts">
        <Trans>
          Participants were asked to try again or to write to you. If one video fails in several browsers, open it here. If all videos fail in one browser, name other browsers in your
          invitation.
        </Trans>
      </p>
      <DataTable
        caption={t`Videos that did not play, by browser`}
        head={[t`site`, t`network`, t`condition`, t`browser`, t`problem`, t`count`, t`clip`]}
        numeric={[5]}
        rows={failures.map(({ site, network, stacks, browser, fault, times, clip_sha256: clip }) => ({
          key: [clip, browser, fault].join('/'),
          cells: [
            site,
            network,
            stacks.join(' / '),
            browser,
            faults[fault],
            times,
            <button key="show" type="button" className="button button--quiet button--small" aria-label={t`Show the clip: ${site}, ${network}`} onClick={() => { onOpen(clip); }}>
              <Trans>Show</Trans>
            </button>,
          ],
        }))}
      />
    </section>
  );
}
