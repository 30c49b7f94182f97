import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import type { StudyText } from '../../../shared/api/forms';
import { Notice } from '../../../shared/ui/page';
import { filledUrl } from './recruit';

/** Ways in which a study ends other than completion, as study files name them. */
export type End = 'no_consent' | 'incompatible_device' | 'full' | 'closed' | 'took_part' | 'missing_id';

interface Props {
  study: Pick<StudyText, 'recruiter'>;
  end: End;
  /** Less prominent, because another action on the page is better. */
  quiet?: boolean;
  /** A sentence that says for whom this link is, if not for everybody; `name` is the recruiter's name. */
  when?: (name: string) => ReactNode;
}

/** Link and code with which a recruited person returns to the recruiter, or a note if there is no link. */
export function WayBack({ study: { recruiter }, end, quiet = false, when }: Props) {
  if (recruiter === null) return null;
  const { name } = recruiter;
  const { code, url } = recruiter.ways_back[end] ?? { code: null, url: null };
  return (
    <div className="way-back">
      {when !== undefined && <p>{when(name)}</p>}
      {url !== null && (
        <div className="actions">
          <a className={quiet ? 'button button--quiet' : 'button'} href={filledUrl(url, recruiter, window.location.search)} rel="noreferrer">
            <Trans>Return to {name}</Trans>
          </a>
        </div>
      )}
      {code !== null && (
        <p>
          <Trans>
            If {name} asks for a code: <strong className="way-back__code">{code}</strong>
          </Trans>
        </p>
      )}
      {/* without the person's id, the page itself says what to do */}
      {url === null && end !== 'missing_id' && (
        <p>
          <Trans>This study has no link back to {name} for this case. Please go back there yourself, so that somebody else can take your place.</Trans>
        </p>
      )}
    </div>
  );
}

/** Way back for a recruited person who needs another browser or a larger window. `quiet`: the page also offers a remedy. */
export function NoDevice({ study, quiet = true }: Pick<Props, 'study' | 'quiet'>) {
  return <WayBack study={study} end="incompatible_device" quiet={quiet} when={(name) => <Trans>If you cannot do that, please go back to {name}.</Trans>} />;
}

/** Way back for a recruited person who cannot finish, in addition to contacting the researchers. */
export function NoHelp({ study }: { study: StudyText }) {
  return <WayBack study={study} end="took_part" quiet when={(name) => <Trans>If you do not want to wait for an answer, you can go back to {name}.</Trans>} />;
}

/** Shown to a recruited person who does not agree to take part. */
export function Declined({ study, onReturn }: { study: StudyText; onReturn: () => void }) {
  return (
    <Notice title={<Trans>You are not taking part</Trans>}>
      <p>
        <Trans>Nothing about you has been stored. Thank you for your interest.</Trans>
      </p>
      <WayBack study={study} end="no_consent" />
      <p>
        <button type="button" className="button button--quiet" onClick={onReturn}>
          <Trans>Read about the study again</Trans>
        </button>
      </p>
    </Notice>
  );
}
