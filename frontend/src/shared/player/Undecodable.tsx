import { Trans } from '@lingui/react/macro';

/** What to do where a browser shows no picture. `begun`: the study goes on elsewhere. */
export function Undecodable({ begun }: { begun: boolean }) {
  return (
    <div className="stage__fault" role="alert">
      <p>
        <strong>
          <Trans>Your browser cannot show these videos.</Trans>
        </strong>
      </p>
      <p>
        <Trans>
          The videos of this study are H.264 in MP4. Please open the same link in a current version of Chrome, Edge, Firefox or Safari; on Linux, Firefox and
          Chromium may need a package with video codecs.
        </Trans>
      </p>
      {begun && (
        <p>
          <Trans>Your answers so far are kept.</Trans>
        </p>
      )}
    </div>
  );
}
