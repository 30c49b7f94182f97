import { Trans } from '@lingui/react/macro';

import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog';

interface Props {
  closesLinks: boolean;
  busy: boolean;
  error: Error | null;
  onArchive: () => void;
  onCancel: () => void;
}

export function ArchiveDialog({ closesLinks, busy, error, onArchive, onCancel }: Props) {
  return (
    <ConfirmDialog title={<Trans>Archive this study?</Trans>} action={<Trans>Archive</Trans>} cancel={<Trans>Cancel</Trans>} busy={busy} error={error} onConfirm={onArchive} onCancel={onCancel}>
      {closesLinks && (
        <p>
          <Trans>All links of the study are closed permanently: no one can start a session any more. Answers of sessions that have begun are still stored.</Trans>
        </p>
      )}
      <p>
        <Trans>The study is then read-only. Its results, exports and clips stay available, and you can restore the study.</Trans>
      </p>
    </ConfirmDialog>
  );
}
