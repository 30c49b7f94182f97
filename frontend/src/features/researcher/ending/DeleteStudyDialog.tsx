import { Plural, Trans } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { useMe } from '../../../shared/account/useMe';
import { answer, api } from '../../../shared/api/client';
import type { Contents, StudyRow } from '../../../shared/api/contract.gen';
import { fileSize } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog';
import { Wait } from '../../../shared/ui/page';
import { deletionKey, studiesKey } from '../keys';

/** Lists what is deleted, and deletes the study after its name was typed. */
export function DeleteStudyDialog({ study, onCancel }: { study: StudyRow; onCancel: () => void }) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [withBatch, setWithBatch] = useState(false);
  const { sha256, name } = study;
  const contents = useQuery({ queryKey: deletionKey(sha256), queryFn: () => answer(api.GET('/api/research/studies/{sha256}/deletion', { params: { path: { sha256 } } })), staleTime: 0 });
  const deletion = useMutation({
    mutationFn: () => answer(api.POST('/api/research/studies/{sha256}/deletion', { params: { path: { sha256 } }, body: { confirm: name, with_batch: withBatch } })),
    onSuccess: () => {
      navigate('/research');
      return cache.invalidateQueries({ queryKey: studiesKey, exact: true });
    },
  });
  return (
    <ConfirmDialog
      title={<Trans>Delete the study {name} permanently?</Trans>}
      typed={{ text: name, label: <Trans>Type {name} to confirm</Trans> }}
      cancel={<Trans>Keep it</Trans>}
      action={<Trans>Delete permanently</Trans>}
      busy={deletion.isPending || contents.data?.later_versions.length !== 0}
      error={deletion.error ?? contents.error}
      onConfirm={() => { deletion.mutate(); }}
      onCancel={onCancel}
    >
      {contents.data === undefined ? contents.isError || <Wait /> : contents.data.later_versions.length > 0 ? <HasLaterVersions later={contents.data.later_versions.join(', ')} /> : <Deleted contents={contents.data} withBatch={withBatch} onWithBatch={setWithBatch} />}
    </ConfirmDialog>
  );
}

function HasLaterVersions({ later }: { later: string }) {
  return (
    <p className="warning">
      <Trans>This study is the earlier version of {later}, which reports departures from its plan. Delete the later one first.</Trans>
    </p>
  );
}

function Deleted({ contents, withBatch, onWithBatch }: { contents: Contents; withBatch: boolean; onWithBatch: (wanted: boolean) => void }) {
  return (
    <>
      <p>
        <Trans>This deletes, for everybody:</Trans>
      </p>
      <ul>
        <li>
          <Plural value={contents.votes} one="# vote" other="# votes" />
        </li>
        <li>
          <Plural value={contents.sessions} one="# session with all data that its participant sent" other="# sessions with all data that their participants sent" />
        </li>
        {contents.recruiter_ids > 0 && (
          <li>
            <Plural value={contents.recruiter_ids} one="# ID of the recruiter (pay the participants first)" other="# IDs of the recruiter (pay the participants first)" />
          </li>
        )}
        <li>
          <Plural value={contents.snapshots} one="# snapshot with its results" other="# snapshots with their results" />
        </li>
        {contents.exports > 0 && (
          <li>
            <Plural
              value={contents.exports}
              one="the record of # export; the downloaded file is not deleted, and its snapshot can no longer be compared with it"
              other="the records of # exports; the downloaded files are not deleted, and their snapshots can no longer be compared with them"
            />
          </li>
        )}
      </ul>
      <p>
        <Trans>The audit log still records that the study existed and was deleted. If you restore an older backup, the study is deleted again. Data of participants remains only in downloaded exports and in backups.</Trans>
      </p>
      <BatchChoice batch={contents.batch} withBatch={withBatch} onWithBatch={onWithBatch} />
    </>
  );
}

function BatchChoice({ batch, withBatch, onWithBatch }: { batch: Contents['batch']; withBatch: boolean; onWithBatch: (wanted: boolean) => void }) {
  const language = useLanguage();
  const isAdmin = useMe().data?.role === 'admin';
  const { campaign, other_studies: others } = batch;
  const size = fileSize(batch.bytes, language);
  if (others > 0) {
    return (
      <p className="facts">
        <Plural value={others} one={`The batch ${campaign} stays: # other study uses it.`} other={`The batch ${campaign} stays: # other studies use it.`} />
      </p>
    );
  }
  if (!isAdmin) {
    return (
      <p className="facts">
        <Trans>The batch {campaign} stays; an admin can delete it.</Trans>
      </p>
    );
  }
  return (
    <label className="check">
      <input type="checkbox" checked={withBatch} onChange={(event) => { onWithBatch(event.target.checked); }} />{' '}
      <span>
        <Trans>Also delete the batch {campaign} with its clips ({size}), which no other study uses</Trans>
      </span>
    </label>
  );
}
