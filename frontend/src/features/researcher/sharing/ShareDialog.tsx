import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { ShareLevel } from '../../../shared/api/contract.gen';
import { Action, Fault, Wait } from '../../../shared/ui/page';
import { sharesKey } from '../keys';
import { ShareForm } from './ShareForm';

/** Dialog to list, add and remove shares of a study. */
export function ShareDialog({ sha256, onClose }: { sha256: string; onClose: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const shares = useQuery({ queryKey: sharesKey(sha256), queryFn: () => answer(api.GET('/api/research/studies/{sha256}/shares', { params: { path: { sha256 } } })), staleTime: 0 });
  const onSettled = () => cache.invalidateQueries({ queryKey: sharesKey(sha256) });
  const add = useMutation({ mutationFn: ({ username, level }: { username: string; level: ShareLevel }) => answer(api.PUT('/api/research/studies/{sha256}/shares/{username}', { params: { path: { sha256, username } }, body: { level } })), onSettled });
  const remove = useMutation({ mutationFn: (username: string) => answer(api.DELETE('/api/research/studies/{sha256}/shares/{username}', { params: { path: { sha256, username } } })), onSettled });
  const error = add.error ?? remove.error;
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="share-title" onCancel={onClose}>
      <h2 id="share-title">
        <Trans>Share this study</Trans>
      </h2>
      <p>
        <Trans>Read: see the study and its results and, except for guests, export them. Edit: also pause and close the study.</Trans>
      </p>
      {shares.isPending && <Wait />}
      {shares.isError && shares.data === undefined && <Fault error={shares.error} onRetry={() => void shares.refetch()} />}
      {shares.data?.length === 0 && (
        <p className="facts">
          <Trans>It is not shared with anyone.</Trans>
        </p>
      )}
      <ul className="entries" aria-label={t`Shared with`}>
        {shares.data?.map(({ username, level }) => (
          <li key={username} className="entry entry--line">
            <span>
              <strong>{username}</strong> <span className="badge">{level === 'read' ? <Trans>reads</Trans> : <Trans>edits</Trans>}</span>
            </span>
            <button type="button" className="button button--quiet button--small" aria-label={t`Stop sharing with ${username}`} disabled={remove.isPending} onClick={() => { remove.mutate(username); }}>
              <Trans>Remove</Trans>
            </button>
          </li>
        ))}
      </ul>
      <ShareForm busy={add.isPending} onShare={(username, level) => { add.mutate({ username, level }); }} />
      <div role="alert" className="field-error">
        {error !== null && <p>{error.message}</p>}
      </div>
      <Action quiet onClick={onClose}>
        <Trans>Done</Trans>
      </Action>
    </dialog>
  );
}
