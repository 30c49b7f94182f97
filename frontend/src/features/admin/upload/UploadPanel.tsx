import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { Link } from 'wouter';

import { batchesKey } from '../keys';
import { filesOfDrop, filesOfInput, type FolderFile } from './folder';
import { type Progress, sendBatch } from './sendBatch';
import { UploadFault } from './UploadFault';
import { UploadProgress } from './UploadProgress';

/** Uploads a batch folder that was chosen or dropped. */
export function UploadPanel() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [over, setOver] = useState(false);
  const upload = useMutation({
    mutationFn: async (files: FolderFile[] | Promise<FolderFile[]>) => sendBatch(await files, setProgress),
    onSettled: () => {
      setProgress(null);
      void cache.invalidateQueries({ queryKey: batchesKey });
    },
  });
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!upload.isPending) upload.mutate(filesOfDrop(event.dataTransfer.items));
  };
  return (
    <section
      className={over ? 'upload upload--over' : 'upload'}
      aria-label={t`Upload a batch`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => { setOver(false); }}
      onDrop={onDrop}
    >
      {progress === null ? (
        <>
          <p>
            <Trans>Drop a batch folder here (the folder that contains manifest.json), or</Trans>
          </p>
          <label className="button button--quiet upload__choose">
            <Trans>Choose a folder</Trans>
            <input
              type="file"
              className="visually-hidden"
              multiple
              ref={(input) => { input?.setAttribute('webkitdirectory', ''); }}
              onChange={(event) => {
                const { files } = event.target;
                if (files !== null && files.length > 0) upload.mutate(filesOfInput(files));
                event.target.value = '';
              }}
            />
          </label>
        </>
      ) : (
        <UploadProgress progress={progress} />
      )}
      <div role="status">
        {upload.isSuccess && (
          <p>
            <Trans>
              The batch <BatchLink batch={upload.data} /> has been received and checked.
            </Trans>
          </p>
        )}
      </div>
      {upload.isError && <UploadFault error={upload.error} />}
    </section>
  );
}

function BatchLink({ batch }: { batch: { sha256: string; campaign: string } }) {
  return <Link href={`/admin/batches/${batch.sha256}`}>{batch.campaign}</Link>;
}
