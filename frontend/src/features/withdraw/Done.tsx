import { Plural, Trans } from '@lingui/react/macro';

import type { Withdrawn } from '../../shared/api/contract.gen';
import { dateTime } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { PageHeading } from '../../shared/ui/page';
import { Contact } from '../../shared/ui/text';

/** What was erased, and what could not be. */
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
            <Trans>what you said about yourself</Trans>
          </li>
        )}
        {done.recruiter_ids > 0 && (
          <li>
            <Trans>the number by which a recruiter knows you</Trans>
          </li>
        )}
        <li>
          <Trans>the language, the window and the times of your session</Trans>
        </li>
      </ul>
      <p>
        <Trans>A random number stays, so that we know that something was erased, and when. Results that contained your answers are computed anew without them.</Trans>
      </p>
      <section className="withdraw__left">
        <h2>
          <Trans>What we could not erase</Trans>
        </h2>
        {done.exports.length === 0 ? (
          <p>
            <Trans>No copy of your answers had been handed out.</Trans>
          </p>
        ) : (
          <>
            <p>
              <Trans>Copies with your answers were handed out before. The researchers who hold them are told to delete them; the copies are of:</Trans>
            </p>
            <ul>
              {done.exports.map((one) => (
                <li key={one.exported_at}>{dateTime(one.exported_at, language)}</li>
              ))}
            </ul>
          </>
        )}
        <p>
          <Trans>Backups may hold your answers until they are replaced. When one is put back, your answers are erased again.</Trans>
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
