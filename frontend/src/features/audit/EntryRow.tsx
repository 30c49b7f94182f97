import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';

import type { EntryRow } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Facts } from './Facts';

export function EntryRow({ entry, isOfStudy }: { entry: EntryRow; isOfStudy: boolean }) {
  const language = useLanguage();
  const action = actionOf(entry);
  return (
    <li className="entry entry--log">
      <time dateTime={entry.at}>{dateTime(entry.at, language)}</time>
      <span>
        <strong>{entry.actor ?? (action === 'withdraw' ? <Trans>a participant</Trans> : <Trans>a command on the server</Trans>)}</strong> <ActionWord what={action} />
        {': '}
        <Kind kind={entry.kind} /> {entry.study_sha256 === null || isOfStudy ? entry.target : <Link href={`/log?study=${entry.study_sha256}`}>{entry.target}</Link>}
        <Facts details={entry.details} />
      </span>
    </li>
  );
}

// three kinds of events are recorded as "erase"; their details distinguish them
function actionOf({ what, details }: EntryRow): string {
  if (what !== 'erase') return what;
  if (details['by'] === 'participant') return 'withdraw';
  return 'recruiter_ids' in details ? 'forget' : 'erase';
}

/** The action of an audit event in words; an unknown action is shown by its name. */
export function ActionWord({ what }: { what: string }) {
  switch (what) {
    case 'publish':
      return <Trans>published</Trans>;
    case 'open':
      return <Trans context="somebody did it">opened</Trans>;
    case 'pause':
      return <Trans context="somebody did it">paused</Trans>;
    case 'close':
      return <Trans context="somebody did it">closed</Trans>;
    case 'export':
      return <Trans context="somebody did it">exported</Trans>;
    case 'unblind':
      return <Trans>unblinded the results</Trans>;
    case 'look':
      return <Trans>looked at the results</Trans>;
    case 'archive':
      return <Trans context="somebody did it">archived</Trans>;
    case 'unarchive':
      return <Trans>restored from the archive</Trans>;
    case 'delete':
      return <Trans context="somebody did it">deleted</Trans>;
    case 'erase':
      return <Trans>erased the data of a participant</Trans>;
    case 'forget':
      return <Trans>deleted the recruiter’s IDs</Trans>;
    case 'withdraw':
      return <Trans>withdrew; all data erased</Trans>;
    case 'account':
      return <Trans>account</Trans>;
    case 'role':
      return <Trans>changed the role</Trans>;
    case 'share':
      return <Trans>sharing</Trans>;
    case 'token':
      return <Trans>token</Trans>;
    default:
      return what;
  }
}

/** The kind of object that an audit event is about. */
export function Kind({ kind }: { kind: string }) {
  switch (kind) {
    case 'study':
      return <Trans>study</Trans>;
    case 'fielding':
      return <Trans>fielding</Trans>;
    case 'account':
      return <Trans>account</Trans>;
    case 'batch':
      return <Trans>batch</Trans>;
    default:
      return null;
  }
}
