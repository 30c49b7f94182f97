import { Trans, useLingui } from '@lingui/react/macro';

export function TrialProgress({ number, total }: { number: number; total: number }) {
  const { t } = useLingui();
  return (
    <span className="participant__step">
      <span aria-live="polite">
        <Trans>
          Video {number} of {total}
        </Trans>
      </span>
      <progress aria-label={t`Progress through the study`} max={total} value={number - 1} />
    </span>
  );
}
