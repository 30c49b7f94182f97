import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ApiError, isPassing } from '../../../shared/api/error';
import type { Completion, Session, StudyText } from '../../../shared/api/forms';
import { finishSession } from '../../../shared/api/participant';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import { backoffMs } from '../../../shared/lib/backoff';
import type { Outbox, OutboxState } from '../../../shared/outbox/outbox';
import { lossOf } from '../../../shared/outbox/verdict';
import { CopyButton } from '../../../shared/ui/CopyButton';
import { Action, Notice } from '../../../shared/ui/page';
import { ProgressBar } from '../../../shared/ui/ProgressBar';
import { Contact, Paragraphs } from '../../../shared/ui/text';
import { Shell } from '../frame/Shell';
import { SomebodyElse } from '../frame/SomebodyElse';
import { Lost } from '../outbox/Lost';
import { OutboxNote } from '../outbox/OutboxNote';
import { useOutboxState } from '../outbox/useOutbox';
import { ReturnStep } from '../recruiter/ReturnStep';
import { NoHelp, WayBack } from '../recruiter/WayBack';

interface Props {
  session: Session;
  skipped: number[];
  outbox: Outbox;
  onMissing: () => void;
  /** Called when the server has no answers about the person. */
  onPersonMissing: () => void;
}

/** Waits until the server has all answers, then shows the completion code. */
export function FinishPage({ session, skipped, outbox, onMissing, onPersonMissing }: Props) {
  const sending = useOutboxState(outbox);
  const { waiting, refused, lost } = sending;
  const finish = useQuery({
    queryKey: ['finish', session.id, waiting.length === 0],
    queryFn: async () => {
      // another tab may have stored unsent answers on this device
      await outbox.refresh();
      return finishSession(session.id, skipped);
    },
    enabled: waiting.length === 0,
    gcTime: 0,
    retry: (_failures, error) => isPassing(error),
    retryDelay: (failures) => backoffMs(failures + 1, Math.random()),
  });

  const { study } = session;
  const page = (where: ReactNode, shown: ReactNode) => (
    <Shell study={study} aside={<span className="participant__step">{where}</span>}>
      {shown}
    </Shell>
  );
  if (finish.data !== undefined) return page(<Trans>The end</Trans>, <Thanks done={finish.data} session={session} skipped={skipped.length} />);
  const loss = lost ?? lossOf(finish.error);
  if (loss !== null) return page(null, <Lost loss={loss} study={study} />);
  const almost = <Trans>Almost done</Trans>;
  if (finish.error instanceof ApiError && finish.error.code === 'person_missing') return page(almost, <PersonMissing onGo={onPersonMissing} />);
  if (finish.error !== null && waiting.length === 0) {
    const positions = new Set(refused.flatMap((envelope) => (envelope.kind === 'vote' ? [envelope.body.position] : [])));
    const numbers = session.trials.flatMap(({ position }, index) => (positions.has(position) ? [index + 1] : []));
    return page(almost, <Missing study={study} refused={numbers} onMissing={onMissing} />);
  }
  return page(almost, <Sending session={session} sending={sending} />);
}

function Sending({ session, sending }: { session: Session; sending: OutboxState }) {
  const { t } = useLingui();
  const { waiting } = sending;
  const recruiter = session.study.recruiter?.name;
  const videos = new Set(waiting.flatMap((envelope) => (envelope.kind === 'control' ? [] : [envelope.body.position]))).size;
  return (
    <Notice title={<Trans>Sending your last answers …</Trans>}>
      <ProgressBar label={t`Sending your answers`} share={1 - waiting.length / Math.max(1, session.trials.length)} />
      {videos > 0 && (
        <p>
          <Plural value={videos} one="The answer to # video is still on its way." other="The answers to # videos are still on their way." />
        </p>
      )}
      <p>
        <OutboxNote state={sending} />
      </p>
      <p>
        {recruiter === undefined ? <Trans>Please keep this page open until the completion code appears.</Trans> : <Trans>Please keep this page open: next, you return to {recruiter}.</Trans>}
      </p>
    </Notice>
  );
}

function Thanks({ done, session, skipped }: { done: Completion; session: Session; skipped: number }) {
  const { completion_code: code, back } = done;
  if (back?.end === 'incompatible_device') {
    return (
      <NothingRated study={session.study}>
        <Debriefing done={done} skipped={skipped} />
        <Reference code={code} recruiter={back.recruiter} />
      </NothingRated>
    );
  }
  if (back !== null) {
    const { recruiter } = back;
    return (
      <ReturnStep back={back} sessionId={session.id} contact={session.study.contact}>
        <Debriefing done={done} skipped={skipped} />
        {back.code === code ? (
          <p className="reference">
            <Trans>
              Use this code for questions. With it, you can also <a href="/withdraw">withdraw and have your answers erased</a>.
            </Trans>
          </p>
        ) : (
          <Reference code={code} recruiter={recruiter} />
        )}
      </ReturnStep>
    );
  }
  return (
    <Notice title={<Trans>Thank you!</Trans>}>
      <p>
        <Trans>All your answers have arrived. This is your completion code:</Trans>
      </p>
      <p className="code">
        <output id="completion-code">{code}</output>
        <CopyButton text={code} describedBy="completion-code" />
      </p>
      <Debriefing done={done} skipped={skipped} />
      <p>
        <Trans>
          You may close this page now. With the code you can also <a href="/withdraw">withdraw and have your answers erased</a>.
        </Trans>
      </p>
      <SomebodyElse>
        <p>
          <Trans>If another person is going to take part in this browser, write down your code first: it is not shown here again.</Trans>
        </p>
      </SomebodyElse>
    </Notice>
  );
}

/** Eyelevel's completion code, shown if the recruiter uses another code or none. */
function Reference({ code, recruiter }: { code: string; recruiter: string }) {
  return (
    <p className="reference">
      <Trans>
        Your code for questions and withdrawal, which {recruiter} does not need: <span id="completion-code">{code}</span>. With it, you can <a href="/withdraw">withdraw and have your answers erased</a>.
      </Trans>
    </p>
  );
}

/** Shown to a recruited person whose window was too small for all videos. */
function NothingRated({ study, children }: { study: Session['study']; children: ReactNode }) {
  return (
    <Notice title={<Trans>All videos were left out</Trans>}>
      <p>
        <Trans>Your window was too small for every video that this study asks about, so there was nothing to rate. Thank you for your interest.</Trans>
      </p>
      <WayBack study={study} end="incompatible_device" />
      {children}
    </Notice>
  );
}

/** The debriefing, with a note about videos that this person did not see. */
function Debriefing({ done: { debriefing }, skipped }: { done: Completion; skipped: number }) {
  const language = useLanguage();
  if (debriefing === null) return null;
  return (
    <section>
      <h2>
        <Trans>What this study was about</Trans>
      </h2>
      {skipped > 0 && (
        <p>
          <Plural
            value={skipped}
            one="# video was left out, because your window was too small or the video did not play. The following text may refer to it."
            other="# videos were left out, because your window was too small or they did not play. The following text may refer to them."
          />
        </p>
      )}
      <Paragraphs text={textIn(debriefing, language)} />
    </section>
  );
}

function PersonMissing({ onGo }: { onGo: () => void }) {
  return (
    <Notice title={<Trans>Some answers are missing</Trans>}>
      <p>
        <Trans>A few questions about you have no answer yet. The completion code comes right after them.</Trans>
      </p>
      <Action onClick={onGo}>
        <Trans>Go to the questions</Trans>
      </Action>
    </Notice>
  );
}

interface MissingProps {
  study: StudyText;
  /** Numbers of the videos whose answers the server rejected; its error messages are not for participants. */
  refused: readonly number[];
  onMissing: () => void;
}

function Missing({ study, refused, onMissing }: MissingProps) {
  const { contact } = study;
  const numbers = refused.join(', ');
  return (
    <Notice title={<Trans>Some answers are missing</Trans>}>
      <p>
        <Trans>Some of your answers have not reached the server yet.</Trans>
      </p>
      {refused.length > 0 && (
        <p className="field-error">
          <Trans>The server did not accept the answers to these videos: {numbers}.</Trans>
        </p>
      )}
      <Action onClick={onMissing}>
        <Trans>Go to the missing videos</Trans>
      </Action>
      <p>
        <Trans>
          If you see this page again and again, please write to <Contact contact={contact} />.
        </Trans>
      </p>
      <NoHelp study={study} />
    </Notice>
  );
}
