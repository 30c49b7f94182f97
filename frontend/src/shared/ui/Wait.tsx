import { Trans } from '@lingui/react/macro';

/** Shown while something comes; quiet for the first moment (by CSS), so that quick pages do not flicker. */
export function Wait() {
  return (
    <p className="wait" role="status">
      <Trans>One moment …</Trans>
    </p>
  );
}
