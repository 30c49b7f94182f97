import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { answer, api } from '../../../shared/api/client';
import type { BooksOut, ListIn } from '../../../shared/api/contract.gen';
import { useLanguage } from '../../../shared/i18n/language';
import { useGroupName, useOrigin } from '../pageContext';
import { Books } from './Books';
import { ProlificForm } from './ProlificForm';

type Format = ListIn['format'];
/** `api`: from Prolific's API instead of a file. */
type Source = Format | 'api';

/** Compares a recruiter's list of submissions with the study, and offers files to import at the recruiter. */
export function BooksPanel({ sha256, recruiters }: { sha256: string; recruiters: Record<string, string> }) {
  const groupName = useGroupName();
  const origin = useOrigin();
  const lang = useLanguage();
  const { t } = useLingui();
  const [first = ''] = Object.keys(recruiters);
  const [group, setGroup] = useState(first);
  const [source, setSource] = useState<Source>(() => formatOf(recruiters[first] ?? ''));
  const [columns, setColumns] = useState({ person: '', submission: '', code: '' });
  const compare = useMutation({
    mutationFn: async ({ file, format }: { file: File; format: Format }): Promise<BooksOut> =>
      answer(api.POST('/api/research/studies/{sha256}/books', { params: { path: { sha256 } }, body: { group, format, text: await file.text(), ...columns, origin, lang } })),
  });
  const sources: Record<Source, string> = { prolific: t`Prolific (file)`, api: t`Prolific (API)`, mturk: t`MTurk (file)`, other: t`another recruiter (file)` };
  const names = { person: t`Column with the participant’s ID`, submission: t`Column with the submission (optional)`, code: t`Column with the code (optional)` };
  return (
    <details className="fold">
      <summary>
        <Trans>Compare the recruiter’s list</Trans>
      </summary>
      <p className="facts">
        <Trans>Choose the list of submissions that you downloaded from the recruiter. The page shows whom to approve, reject, ask to return, or pay a bonus. The list is not stored.</Trans>
      </p>
      <div className="inline-form">
        <Choice label={t`Group`} value={group} choices={Object.fromEntries(Object.keys(recruiters).map((key) => [key, groupName(key)]))} onChange={(key) => { compare.reset(); setGroup(key); setSource(formatOf(recruiters[key] ?? '')); }} />
        <Choice label={t`Source of the list`} value={source} choices={sources} onChange={(value) => { compare.reset(); setSource(value as Source); }} />
        {source === 'other' &&
          (Object.entries(names) as [keyof typeof columns, string][]).map(([name, label]) => (
            <Field key={name} label={label} value={columns[name]} onChange={(value) => { setColumns({ ...columns, [name]: value }); }} />
          ))}
        {source !== 'api' && (
          <label className="button button--quiet">
            <Trans>Choose the CSV file</Trans>
            <input
              type="file"
              accept=".csv,text/csv"
              className="visually-hidden"
              onChange={(event) => {
                const [file] = event.target.files ?? [];
                if (file !== undefined) compare.mutate({ file, format: source });
                event.target.value = '';
              }}
            />
          </label>
        )}
      </div>
      {source === 'api' && <ProlificForm key={group} sha256={sha256} group={group} />}
      {source !== 'api' && compare.error !== null && (
        <p role="alert" className="field-error">
          {compare.error.message}
        </p>
      )}
      {source !== 'api' && compare.data !== undefined && <Books key={compare.submittedAt} books={compare.data} />}
    </details>
  );
}

function formatOf(recruiter: string): Format {
  const name = recruiter.toLowerCase();
  return name === 'prolific' || name === 'mturk' ? name : 'other';
}

function Choice({ label, value, choices, onChange }: { label: string; value: string; choices: Record<string, string>; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => { onChange(event.currentTarget.value); }}>
        {Object.entries(choices).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

function Field({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} value={value} onChange={(event) => { onChange(event.currentTarget.value); }} />
    </div>
  );
}
