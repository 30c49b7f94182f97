import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useMutation } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import * as v from 'valibot';

import { isPassing } from '../../shared/api/error';
import type { Question, Session } from '../../shared/api/forms';
import { putPerson } from '../../shared/api/participant';
import { textIn, useLanguage } from '../../shared/i18n/language';
import { backoffMs } from '../../shared/lib/backoff';
import { lossOf } from '../../shared/outbox/verdict';
import { Choices } from '../../shared/ui/Choices';
import { PageHeading } from '../../shared/ui/page';
import { Lost } from './notices';

/** Chosen rather than left out, so that a choice can be taken back; no study has a key of a space. */
const noAnswer = ' ';

/** One field per question; an empty text is "not answered" yet. */
function schemaOf(questions: readonly Question[]) {
  return v.object(Object.fromEntries(questions.map((question) => [question.key, question.required ? v.pipe(v.string(), v.nonEmpty()) : v.string()])));
}

export function PersonPage({ session, onDone }: { session: Session; onDone: () => void }) {
  const { questions, contact } = session.study;
  const { t } = useLingui();
  const language = useLanguage();
  const form = useForm({
    resolver: valibotResolver(schemaOf(questions)),
    defaultValues: Object.fromEntries(questions.map((question) => [question.key, ''])),
  });
  const save = useMutation({
    mutationFn: (answers: Record<string, string>) => putPerson(session.id, Object.fromEntries(Object.entries(answers).filter(([, choice]) => choice.trim() !== ''))),
    onSuccess: onDone,
    retry: (failures, error) => failures < 8 && isPassing(error),
    retryDelay: (failures) => backoffMs(failures + 1, Math.random()),
  });
  const loss = lossOf(save.error);
  if (loss !== null) return <Lost loss={loss} contact={contact} />;

  return (
    <>
      <PageHeading>
        <Trans>A few questions about you</Trans>
      </PageHeading>
      <p className="facts">
        {questions.every(({ required }) => required) ? <Trans>Please answer every question.</Trans> : <Trans>Please answer every question that is not marked as optional.</Trans>}
      </p>
      <form className="person" noValidate onSubmit={(event) => void form.handleSubmit((answers) => { save.mutate(answers); })(event)}>
        {questions.map((question) => (
          <Controller
            key={question.key}
            control={form.control}
            name={question.key}
            render={({ field, fieldState }) => (
              <Choices
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
                value={field.value === '' ? null : field.value}
                onChange={field.onChange}
                firstRef={field.ref}
                error={fieldState.error === undefined ? undefined : t`Please choose one.`}
              />
            )}
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
