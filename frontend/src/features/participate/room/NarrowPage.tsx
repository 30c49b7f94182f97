import { Plural, Trans } from '@lingui/react/macro';

import type { StudyText } from '../../../shared/api/forms';
import { useViewport } from '../../../shared/player/useViewport';
import { Action, PageHeading } from '../../../shared/ui/page';
import { NoDevice } from '../recruiter/WayBack';
import { type Lacking, remedyFor, thisDevice } from './room';
import { RoomAdvice } from './RoomAdvice';

interface Props {
  study: StudyText;
  count: number;
  lacking: Lacking;
  /** Null if these trials may not be skipped. */
  onSkip: (() => void) | null;
}

/** Asks for a larger window for the next trials; offers to skip them if allowed, otherwise a way back to the recruiter. */
export function NarrowPage({ study, count, lacking, onSkip }: Props) {
  const remedy = remedyFor([lacking], useViewport(), thisDevice());
  return (
    <>
      <PageHeading>
        <Trans>A larger window is needed</Trans>
      </PageHeading>
      <RoomAdvice lacking={[lacking]} remedy={remedy} />
      {onSkip === null ? (
        <>
          {remedy === null && (
            <p>
              <Trans>Please use a window or screen that is as large as when you started. Your answers so far are kept.</Trans>
            </p>
          )}
          <NoDevice study={study} quiet={remedy !== null} />
        </>
      ) : (
        <Action quiet={remedy !== null} onClick={onSkip}>
          <Plural value={count} one="Skip this video" other="Skip these # videos" />
        </Action>
      )}
    </>
  );
}
