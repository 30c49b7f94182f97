import { Plural, Trans } from '@lingui/react/macro';

/** Votes of programs count as others do, so whoever reads the figures must know of them. */
export function SimulatedNotice({ simulated, sessions }: { simulated: number; sessions: number }) {
  if (simulated === 0) return null;
  return (
    <p className="simulated" role="note">
      <strong>
        <Plural value={simulated} one="# of the sessions is simulated" other="# of the sessions are simulated" />
      </strong>{' '}
      <Trans>(of {sessions}): programs, no people. Their votes count in every figure here and say nothing about what people see.</Trans>
    </p>
  );
}
