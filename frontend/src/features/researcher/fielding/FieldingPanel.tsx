import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { EffectiveState, FieldingRow, FieldingState } from '../../../shared/api/contract.gen';
import { CopyButton } from '../../../shared/ui/CopyButton';
import { ProgressBar } from '../../../shared/ui/ProgressBar';
import { allResultsKey, studiesKey } from '../keys';
import { useGroupName } from '../pageContext';
import { CloseDialog } from './CloseDialog';

/** One fielding: progress, participant link and, with edit rights, buttons to pause, resume or close it. `warns`: shows warnings about the link, which the live page shows as alerts instead. */
export function FieldingPanel({ fielding, mayEdit, warns = true }: { fielding: FieldingRow; mayEdit: boolean; warns?: boolean }) {
  const { t } = useLingui();
  const groupName = useGroupName();
  const cache = useQueryClient();
  const [closing, setClosing] = useState(false);
  const change = useMutation({
    mutationFn: (state: FieldingState) => answer(api.POST('/api/research/fieldings/{slug}/state', { params: { path: { slug: fielding.slug } }, body: { state } })),
    // also refreshes the study page, whose key starts with studiesKey; after closing, results are no longer blinded
    onSuccess: () => Promise.all([studiesKey, allResultsKey].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
  const link = new URL(fielding.participant_url, location.href).href;
  const { sessions_counted: counted, sessions_completed: completed, sessions_started: started, quota } = fielding;
  const { sessions_excluded: excluded, sessions_over_quota: overQuota, sessions_simulated: simulated } = fielding;
  const ask = (state: FieldingState) => {
    if (state === 'closed') setClosing(true);
    else change.mutate(state);
  };
  return (
    <div className="fielding">
      <div className="fielding__progress">
        <span className="fielding__group">{groupName(fielding.group)}</span>
        <StateBadge state={fielding.effective_state} />
        <ProgressBar label={t`Sessions that count for the quota`} share={quota === 0 ? 0 : counted / quota} text={t`${counted} of ${quota} counted`} />
        <span className="facts">
          <Trans>
            {started} started, {completed} completed: {counted} counted, {excluded} excluded, {overQuota} over quota
          </Trans>
          {simulated > 0 && (
            <>
              {' · '}
              <Trans>{simulated} simulated, not in the quota</Trans>
            </>
          )}
        </span>
      </div>
      <div className="fielding__link">
        <a href={link} id={`link-${fielding.slug}`}>
          {link}
        </a>
        <CopyButton text={link} describedBy={`link-${fielding.slug}`} />
        <a className="button button--quiet button--small" href={`/s/${fielding.slug}/preview`} target="_blank" rel="noopener">
          <Trans>Preview</Trans>
        </a>
        {(mayEdit ? transitionsFrom(fielding.state) : []).map((state) => (
          <button key={state} type="button" className="button button--quiet button--small" disabled={change.isPending} onClick={() => { ask(state); }}>
            {state === 'paused' && <Trans>Pause</Trans>}
            {state === 'open' && <Trans>Resume</Trans>}
            {state === 'closed' && <Trans>Close …</Trans>}
          </button>
        ))}
      </div>
      <UnknownParameters unknown={fielding.unknown_parameters} />
      {warns && fielding.missing_parameter !== null && <MissingParameter missing={fielding.missing_parameter} />}
      {change.error !== null && (
        <p role="alert" className="field-error">
          {change.error.message}
        </p>
      )}
      {closing && (
        <CloseDialog
          onCancel={() => { setClosing(false); }}
          onClose={() => {
            setClosing(false);
            change.mutate('closed');
          }}
        />
      )}
    </div>
  );
}

/** Warns that a recruiter seems to send people, but the study file names no recruiter for this link, so that ids are lost. */
export function UnknownParameters({ unknown }: { unknown: FieldingRow['unknown_parameters'] }) {
  if (unknown.length === 0) return null;
  const most = Math.max(...unknown.map(({ sessions }) => sessions));
  const names = unknown.map(({ name, sessions }) => `${name} (${String(sessions)})`).join(', ');
  return (
    <p className="warning" role="note">
      <Plural
        value={most}
        one="# session began with parameters in the link that this group does not know:"
        other="# sessions began with parameters in the link that this group does not know:"
      />{' '}
      {names}.{' '}
      <Trans>Their values were not stored. If a recruiter sent these people, publish a version of the study whose group has a recruiter; without one, nobody can be paid by ID.</Trans>
    </p>
  );
}

/** Warns that people opened this link without the recruiter's id and could not start. */
function MissingParameter({ missing: { name, visits } }: { missing: NonNullable<FieldingRow['missing_parameter']> }) {
  return (
    <p className="warning" role="note">
      <Plural
        value={visits}
        one={`This link was opened # time without the parameter ${name}; without it, nobody can begin.`}
        other={`This link was opened # times without the parameter ${name}; without it, nobody can begin.`}
      />{' '}
      <Trans>If a recruiter sent these people, check the link that you gave the recruiter.</Trans>
    </p>
  );
}

/** The state of a fielding as participants see it. */
export function StateBadge({ state }: { state: EffectiveState }) {
  return (
    <span className={`badge badge--${state}`}>
      {state === 'open' && <Trans>open</Trans>}
      {state === 'full' && <Trans>full</Trans>}
      {state === 'paused' && <Trans>paused</Trans>}
      {state === 'closed' && <Trans>closed</Trans>}
    </span>
  );
}

/** The states to which a fielding can change. A closed fielding cannot be opened again. */
export function transitionsFrom(state: FieldingState): readonly FieldingState[] {
  switch (state) {
    case 'open':
      return ['paused', 'closed'];
    case 'paused':
      return ['open', 'closed'];
    case 'closed':
      return [];
  }
}
