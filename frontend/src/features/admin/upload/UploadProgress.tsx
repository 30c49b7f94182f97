import { Plural, Trans, useLingui } from '@lingui/react/macro';

import { fileSize, roughly } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { ProgressBar } from '../../../shared/ui/ProgressBar';
import type { Progress } from './sendBatch';

export function UploadProgress({ progress }: { progress: Progress }) {
  const { t } = useLingui();
  const language = useLanguage();
  switch (progress.step) {
    case 'reading':
      return (
        <p role="status">
          <Trans>Reading the manifest …</Trans>
        </p>
      );
    case 'committing':
      return (
        <p role="status">
          <Trans>All files have been sent. The server is checking them …</Trans>
        </p>
      );
    case 'checking': {
      const { done, total } = progress;
      const left = progress.left_ms === null ? null : roughly(progress.left_ms, language);
      return (
        <div className="upload__progress">
          <p>
            <Trans>
              Checking takes and videos: {done} of {total}
            </Trans>
            {left !== null && (
              <>
                , <Trans>about {left} left</Trans>
              </>
            )}
          </p>
          <ProgressBar label={t`Checked takes and videos`} share={total === 0 ? 1 : done / total} />
        </div>
      );
    }
    case 'sending': {
      const { campaign } = progress;
      const total = `${fileSize(progress.sent_bytes, language)} / ${fileSize(progress.total_bytes, language)}`;
      return (
        <div className="upload__progress">
          <p>
            <Trans>
              Sending <strong>{campaign}</strong>
            </Trans>
            , <Plural value={progress.left} one="# file left" other="# files left" />
          </p>
          <ProgressBar label={t`All files`} share={progress.total_bytes === 0 ? 1 : progress.sent_bytes / progress.total_bytes} text={total} />
          <p className="facts upload__path">{progress.path}</p>
          <ProgressBar label={t`This file`} share={progress.file_bytes === 0 ? 1 : progress.file_sent / progress.file_bytes} />
        </div>
      );
    }
  }
}
