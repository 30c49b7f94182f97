import { Trans } from '@lingui/react/macro';

import type { Origin } from '../pageContext';

interface Props {
  /** Simulated sessions that are complete and not excluded. */
  simulated: number;
  /** All simulated sessions that were started. */
  started: number;
  /** Whether sessions of people are also used. */
  people: boolean;
  origin: Origin;
  onOrigin: (origin: Origin) => void;
}

/** Notice whether the page includes simulated sessions, with a button to switch. */
export function SimulatedNotice({ simulated, started, people, origin, onOrigin }: Props) {
  if (started === 0) return null;
  return (
    <p className="simulated" role="note">
      {simulated === 0 ? (
        <Trans>Simulated sessions: {started}. None is used, because each is excluded or incomplete.</Trans>
      ) : origin === 'all' ? (
        <>
          <strong>
            <Trans>This page includes simulated sessions: {simulated}.</Trans>
          </strong>{' '}
          <Trans>They were created by a program. Their votes say nothing about what people see.</Trans>
        </>
      ) : people ? (
        <Trans>Simulated sessions excluded from every figure on this page: {simulated}.</Trans>
      ) : (
        <Trans>All completed sessions of this study are simulated ({simulated}), and excluded from every figure on this page.</Trans>
      )}{' '}
      <button type="button" className="button button--quiet button--small" onClick={() => { onOrigin(origin === 'all' ? 'person' : 'all'); }}>
        {origin === 'all' ? <Trans>Exclude simulated sessions</Trans> : <Trans>Include simulated sessions</Trans>}
      </button>
    </p>
  );
}
