import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';

import { isPassing } from '../../../shared/api/error';
import type { Session } from '../../../shared/api/forms';
import { putPerson } from '../../../shared/api/participant';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import { backoffMs } from '../../../shared/lib/backoff';
import { lossOf } from '../../../shared/outbox/verdict';
import { Choices } from '../../../shared/ui/Choices';
import { PageHeading } from '../../../shared/ui/page';
import { Lost } from '../outbox/Lost';

/** Key of the choice "No answer", with which an answer can be undone. Study files cannot use a space as a key. */
const noAnswer = ' ';

export function PersonPage({ session, onDone }: { session: Session; onDone: () => void }) {
  const { questions } = session.study;
  const { t } = useLingui();
  const language = useLanguage();
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const missing = questions.filter(({ key, required }) => required && answers[key] === undefined);
  // errors are shown after the first attempt
  const [tried, setTried] = useState(false);
  const firstMissing = useRef<HTMLInputElement>(null);
  const save = useMutation({
    mutationFn: () => putPerson(session.id, Object.fromEntries(Object.entries(answers).filter(([, choice]) => choice !== noAnswer))),
    onSuccess: onDone,
    retry: (failures, error) => failures < 8 && isPassing(error),
    retryDelay: (failures) => backoffMs(failures + 1, Math.random()),
  });
  const loss = lossOf(save.error);
  if (loss !== null) return <Lost loss={loss} study={session.study} />;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing.length === 0) save.mutate();
    else firstMissing.current?.focus();
  };

  return (
    <>
      <PageHeading>
        <Trans>A few questions about you</Trans>
      </PageHeading>
      <p className="facts">
        {questions.every(({ required }) => required) ? <Trans>Please answer every question.</Trans> : <Trans>Please answer every question that is not marked as optional.</Trans>}
      </p>
      <form className="person" noValidate onSubmit={submit}>
        {questions.map((question) => (
          <Choices
            key={question.key}
            legend={
              <>
                {textIn(question.label, language)}
                {!question.required && <em className="optional"> {t`(optional)`}</em>}
              </>
            }
            layout="list"
            required={question.required}
            choices={[
              ...question.choices.map((choice) => ({ key: choice.key, label: textIn(choice.label, language) })),
              ...(question.required ? [] : [{ key: noAnswer, label: t`No answer` }]),
            ]}
            value={answers[question.key] ?? null}
            onChange={(choice) => { setAnswers((before) => ({ ...before, [question.key]: choice })); }}
            firstRef={question === missing[0] ? firstMissing : undefined}
            error={tried && missing.includes(question) ? t`Please choose an answer.` : undefined}
          />
        ))}
        <div className="actions">
          <button type="submit" className="button" disabled={save.isPending}>
            <Trans>Continue</Trans>
          </button>
        </div>
        <div role="alert">
          {save.isError && (
            <p className="field-error">
              <Trans>Your answers could not be sent. Please try again.</Trans>
            </p>
          )}
        </div>
      </form>
    </>
  );
}
