import { Plural, Trans, useLingui } from '@lingui/react/macro';

import type { BooksOut, EntryOut } from '../../../shared/api/contract.gen';
import { saveFile } from '../../../shared/api/download';
import { DataTable } from '../tables/DataTable';
import { BonusFile } from './BonusFile';
import { useActionWords } from './words';

/** Order of actions: decisions of the researcher first, then actions at the recruiter, then settled submissions. */
const order = ['decide', 'reject', 'bonus', 'return', 'approve', 'nothing'];

/** The result of comparing both lists: counts, files, and each submission that needs an action. */
export function Books({ books: { entries, actions, files } }: { books: BooksOut }) {
  const { t } = useLingui();
  const words = useActionWords();
  const open = entries.filter(({ why }) => why !== 'settled').sort((a, b) => order.indexOf(a.action) - order.indexOf(b.action));
  const settled = entries.length - open.length;
  const counts = order.filter((action) => action !== 'nothing' && (actions[action] ?? 0) > 0).map((action) => `${words(action)}: ${String(actions[action])}`);
  return (
    <div role="status">
      <p>{open.length === 0 ? <Trans>Both lists agree. There is nothing to do.</Trans> : counts.join(' · ')}</p>
      <p className="facts">
        <Plural value={settled} one="# submission needs no action." other="# submissions need no action." />
      </p>
      <p className="download">
        {files.map(({ name, text }) => (
          <button key={name} type="button" className="button button--quiet button--small" onClick={() => { saveFile({ name, content: new Blob([text], { type: 'text/plain' }) }); }}>
            {name}
          </button>
        ))}
      </p>
      <BonusFile due={peopleOf(open, 'bonus')} unclear={peopleOf(open, 'decide')} />
      {open.length > 0 && (
        <DataTable
          caption={t`Actions at the recruiter`}
          size="wrapped"
          head={[t`participant, submission`, t`action`, t`reason`]}
          rows={open.map((entry) => ({ key: `${entry.person}/${entry.submission}`, cells: [<Ids key="ids" entry={entry} />, words(entry.action), entry.explanation] }))}
        />
      )}
    </div>
  );
}

/** Accepted people whose submission timed out or was returned, with this action. */
function peopleOf(entries: EntryOut[], wanted: string): string[] {
  return entries.filter(({ action, why }) => action === wanted && why === 'accepted_but_gone').map(({ person }) => person);
}

function Ids({ entry: { person, submission } }: { entry: EntryOut }) {
  return (
    <>
      <span className="recruiter-id">{person}</span> <span className="recruiter-id facts">{submission}</span>
    </>
  );
}
