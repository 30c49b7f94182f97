import { Trans, useLingui } from '@lingui/react/macro';

export function TrialProgress({ number, total, training = false }: { number: number; total: number; training?: boolean | undefined }) {
  const { t } = useLingui();
  return (
    <span className="participant__step">
      {training && (
        <span className="participant__practice">
          <Trans>To practise:</Trans>
        </span>
      )}
      <span aria-live="polite">
        <Trans>
          Video {number} of {total}
        </Trans>
      </span>
      <progress aria-label={t`Progress through the study`} max={total} value={number - 1} />
    </span>
  );
}
