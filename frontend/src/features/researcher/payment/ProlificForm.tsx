import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { answer, api } from '../../../shared/api/client';
import { useLanguage } from '../../../shared/i18n/language';
import { ApplyDialog } from './ApplyDialog';
import { Books } from './Books';

/** Compares submissions by Prolific's API and, after confirmation, approves them or asks participants to return them. */
export function ProlificForm({ sha256, group }: { sha256: string; group: string }) {
  const { t } = useLingui();
  const lang = useLanguage();
  const [study, token] = [useId(), useId()];
  const [values, setValues] = useState({ study_id: '', token: '' });
  const [asking, setAsking] = useState(false);
  const call = useMutation({
    mutationFn: (confirmed: { approve: string[]; ask_to_return: string[] }) => answer(api.POST('/api/research/studies/{sha256}/books/prolific', { params: { path: { sha256 } }, body: { group, ...confirmed, ...values, lang } })),
  });
  const books = call.data;
  const [approve, back, applied] = [books?.approve.length ?? 0, books?.ask_to_return.length ?? 0, books?.applied ?? null];
  const [approved, asked, failed] = [applied?.approved ?? 0, applied?.asked_to_return ?? 0, applied?.failed.length ?? 0];
  // a confirmation is valid only for the values that were compared
  const change = (changed: Partial<typeof values>) => {
    setValues({ ...values, ...changed });
    call.reset();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        call.mutate({ approve: [], ask_to_return: [] });
      }}
    >
      <div className="inline-form">
        <div className="field">
          <label htmlFor={study}>
            <Trans>ID of the study on Prolific</Trans>
          </label>
          <input id={study} required value={values.study_id} onChange={(event) => { change({ study_id: event.currentTarget.value.trim() }); }} />
        </div>
        <div className="field">
          <label htmlFor={token}>
            <Trans>API token of Prolific</Trans>
          </label>
          <input id={token} required type="password" autoComplete="off" value={values.token} onChange={(event) => { change({ token: event.currentTarget.value.trim() }); }} />
        </div>
        <button type="submit" className="button button--quiet" disabled={call.isPending}>
          <Trans>Compare</Trans>
        </button>
      </div>
      <p className="facts">
        <Trans>Comparing changes nothing on Prolific. The token is used for this request only, and is not stored.</Trans>
      </p>
      {call.error !== null && (
        <p role="alert" className="field-error">
          {call.error.message}
        </p>
      )}
      {books !== undefined && <Books key={call.submittedAt} books={books} />}
      {applied !== null && (
        <p role="status">
          <Trans>Done on Prolific: {approved} approved, {asked} asked to return, {failed} refused by Prolific.</Trans>
        </p>
      )}
      {books !== undefined && applied === null && approve + back > 0 && (
        <button type="button" className="button" disabled={call.isPending} onClick={() => { setAsking(true); }}>
          {t`Approve ${approve}, ask ${back} to return …`}
        </button>
      )}
      {asking && (
        <ApplyDialog
          onCancel={() => { setAsking(false); }}
          onApply={() => {
            setAsking(false);
            call.mutate({ approve: books?.approve ?? [], ask_to_return: books?.ask_to_return ?? [] });
          }}
        >
          <Plural value={approve} one="# submission is approved and paid." other="# submissions are approved and paid." />{' '}
          <Plural value={back} one="# person gets a message that asks them to return the submission." other="# people get a message that asks them to return the submission." />
        </ApplyDialog>
      )}
    </form>
  );
}
