import { Plural, Trans } from '@lingui/react/macro';

import type { Withdrawn } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { PageHeading } from '../../shared/ui/page';
import { Contact } from '../../shared/ui/text';

/** Summary of a withdrawal: what was erased, and which copies could not be erased. */
export function Done({ done, contact }: { done: Withdrawn; contact: string | null }) {
  const language = useLanguage();
  return (
    <>
      <PageHeading>
        <Trans>Your answers are erased</Trans>
      </PageHeading>
      <ul>
        <li>
          <Plural value={done.votes} one="# answer to a video" other="# answers to videos" />
        </li>
        <li>
          <Plural value={done.plays} one="# record of how a video played" other="# records of how videos played" />
        </li>
        {done.answers_about_person > 0 && (
          <li>
            <Trans>your answers about yourself</Trans>
          </li>
        )}
        {done.recruiter_ids > 0 && (
          <li>
            <Trans>your ID at the website that recruited you</Trans>
          </li>
        )}
        <li>
          <Trans>the language, the window and the times of your session</Trans>
        </li>
      </ul>
      <p>
        <Trans>We keep a random number to record that data was erased, and when. Results that included your answers are recalculated without them.</Trans>
      </p>
      <section className="withdraw__left">
        <h2>
          <Trans>What we could not erase</Trans>
        </h2>
        {done.exports.length === 0 ? (
          <p>
            <Trans>Nobody had downloaded a copy of your answers.</Trans>
          </p>
        ) : (
          <>
            <p>
              <Trans>Researchers have downloaded copies of your answers. They are asked to delete them. The copies were made on:</Trans>
            </p>
            <ul>
              {done.exports.map((copy) => (
                <li key={copy.exported_at}>{dateTime(copy.exported_at, language)}</li>
              ))}
            </ul>
          </>
        )}
        <p>
          <Trans>Backups may contain your answers until they are replaced. If a backup is restored, your answers are erased again.</Trans>
        </p>
        {contact !== null && (
          <p>
            <Trans>
              Questions? <Contact contact={contact} />
            </Trans>
          </p>
        )}
      </section>
    </>
  );
}
