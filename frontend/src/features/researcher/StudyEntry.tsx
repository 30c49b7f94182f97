import { Plural, Trans } from '@lingui/react/macro';
import { Link } from 'wouter';

import type { StudyRow } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { textIn, useLanguage } from '../../shared/i18n/language';
import { Digest } from '../../shared/ui/text';
import { FieldingPanel } from './fielding/FieldingPanel';
import { Groups } from './groups';

export function StudyEntry({ study }: { study: StudyRow }) {
  const language = useLanguage();
  const published = dateTime(study.published_at, language);
  return (
    <li className="entry">
      <h2 className="entry__title">
        <Link href={`/research/studies/${study.sha256}`}>{textIn(study.title, language)}</Link>
      </h2>
      <p className="facts">
        {study.name} <Digest sha256={study.sha256} /> · <Trans>published {published}</Trans> · <Plural value={study.votes} one="# vote received from people" other="# votes received from people" />
      </p>
      <Groups value={study.groups}>
        {study.fieldings.map((fielding) => (
          <FieldingPanel key={fielding.slug} fielding={fielding} mayEdit={study.rights.includes('edit')} />
        ))}
      </Groups>
    </li>
  );
}
