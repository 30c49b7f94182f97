import { Trans } from '@lingui/react/macro';

/** Votes of programs count as others do, so whoever reads the figures must know of them. */
export function SimulatedNotice({ simulated }: { simulated: number }) {
  if (simulated === 0) return null;
  return (
    <p className="simulated" role="note">
      <strong>
        <Trans>Simulated sessions: {simulated}.</Trans>
      </strong>{' '}
      <Trans>They are programs, no people. Their votes count in every figure here and say nothing about what people see.</Trans>
    </p>
  );
}
