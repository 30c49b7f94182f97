import { Trans } from '@lingui/react/macro';

/** Where the browser kept a film from playing: what to do, since a press alone may be what it wants. */
export function Held() {
  return (
    <p role="alert">
      <Trans>Your browser held the video back. Please start it once more; it then begins at once, without a countdown.</Trans>
    </p>
  );
}
