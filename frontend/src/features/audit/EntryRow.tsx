import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';

import type { EntryRow } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Deed, Kind } from './Deed';
import { Facts } from './Facts';

export function EntryRow({ entry, isOfStudy }: { entry: EntryRow; isOfStudy: boolean }) {
  const language = useLanguage();
  const deed = deedOf(entry);
  return (
    <li className="entry entry--log">
      <time dateTime={entry.at}>{dateTime(entry.at, language)}</time>
      <span>
        <strong>{entry.actor ?? (deed === 'withdraw' ? <Trans>a participant</Trans> : <Trans>a command on the server</Trans>)}</strong> <Deed what={deed} />
        {': '}
        <Kind kind={entry.kind} /> {entry.study_sha256 === null || isOfStudy ? entry.target : <Link href={`/log?study=${entry.study_sha256}`}>{entry.target}</Link>}
        <Facts details={entry.details} />
      </span>
    </li>
  );
}

// three deeds are recorded as erasing, told apart by what was recorded with them
function deedOf({ what, details }: EntryRow): string {
  if (what !== 'erase') return what;
  if (details['by'] === 'participant') return 'withdraw';
  return 'recruiter_ids' in details ? 'forget' : 'erase';
}
