import { Trans } from '@lingui/react/macro';

import type { Session, StudyText } from '../../../shared/api/forms';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import { Undecodable } from '../../../shared/player/Notes';
import { useViewport } from '../../../shared/player/useViewport';
import { useDecoding } from '../../../shared/player/video/useDecoding';
import { Action, PageHeading } from '../../../shared/ui/page';
import { Paragraphs } from '../../../shared/ui/text';
import { NoDevice } from '../recruiter/WayBack';
import { extentOfSession, isLeftOut } from '../room/room';
import { HowMuch } from '../room/RoomAdvice';

export function InstructionsPage({ session, onDone }: { session: Session; onDone: () => void }) {
  const language = useLanguage();
  const viewport = useViewport();
  const { study } = session;
  const trials = session.trials.filter((trial) => !isLeftOut(study, trial, viewport));
  const first = trials[0]?.context;
  const changes = trials.some(({ context }) => context.key !== first?.key);
  const situation = first === undefined ? '' : textIn(first.label, language);
  // checked on the consent page too, but a session may have been started before that
  const title = (
    <PageHeading>
      <Trans>How it works</Trans>
    </PageHeading>
  );
  if (useDecoding() === 'no') {
    return (
      <>
        {title}
        <Undecodable>
          <NoDevice study={study} />
        </Undecodable>
      </>
    );
  }
  const instructions = textIn(study.instructions, language);
  return (
    <>
      {title}
      <HowMuch {...extentOfSession(session, viewport)} />
      {instructions !== '' && <Paragraphs text={instructions} />}
      <ul className="prose">
        {instructions === '' && (
          <>
            <li>
              <Trans>Each video shows a website while it is loading. It plays once; you may replay it.</Trans>
            </li>
            <li>
              <Trans>Then answer the question below it. There is no right or wrong answer.</Trans>
            </li>
          </>
        )}
        <li>
          <Trans>The videos have no sound.</Trans>
        </li>
        <li>
          <Trans>You can stop at any time.</Trans> <Comeback policy={study.resume} />
        </li>
      </ul>
      {situation !== '' && (
        <p>
          {changes ? (
            <Trans>
              For the first videos, imagine you are <strong>{situation}</strong>. A page announces when this changes.
            </Trans>
          ) : (
            <Trans>
              Imagine you are <strong>{situation}</strong> while you watch.
            </Trans>
          )}
        </p>
      )}
      <Action onClick={onDone}>
        <Trans>Continue</Trans>
      </Action>
    </>
  );
}

/** What happens after a reload, by the resume policy of the study. */
function Comeback({ policy }: { policy: StudyText['resume'] }) {
  switch (policy) {
    case 'resume':
      return <Trans>If you reload the page, you continue where you left off.</Trans>;
    case 'restart':
      return <Trans>Please do not reload or close the page before the end: the study would start again from the beginning.</Trans>;
    case 'block':
      return <Trans>Please do not reload or close the page before the end: you could not continue.</Trans>;
  }
}
