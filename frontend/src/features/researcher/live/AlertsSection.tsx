import { Plural, Trans } from '@lingui/react/macro';

import type { AlertOut } from '../../../shared/api/contract.gen';
import { dateTime } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { useGroupName } from '../pageContext';

/** Alerts that need attention now, or a note that there are none. */
export function AlertsSection({ alerts, onOpen }: { alerts: readonly AlertOut[]; onOpen: (clip: string) => void }) {
  return (
    <section aria-live="polite">
      <h2>
        <Trans>Alerts</Trans>
      </h2>
      {alerts.length === 0 ? (
        <p className="facts">
          <Trans>Nothing needs your attention.</Trans>
        </p>
      ) : (
        <ul className="alerts">
          {alerts.map((alert) => (
            <li key={`${alert.code}/${alert.subject}/${alert.group}`} className="warning">
              <Words alert={alert} onOpen={onOpen} /> <Since since={alert.since} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Since({ since }: { since: string | null }) {
  const language = useLanguage();
  if (since === null) return null;
  const moment = dateTime(since, language);
  return (
    <span className="facts">
      <Trans>Since {moment}.</Trans>
    </span>
  );
}

/** The text of an alert, with what to do. */
function Words({ alert: { code, group: key, subject, count, of }, onOpen }: { alert: AlertOut; onOpen: (clip: string) => void }) {
  const group = useGroupName()(key);
  const sent = String(of);
  switch (code) {
    case 'nobody_finishes':
      return (
        <Trans>
          {group}: none of the last {count} ended sessions was completed. Open the preview, and see below at which step participants leave.
        </Trans>
      );
    case 'excluded_jumps':
      return (
        <Trans>
          {group}: {count} of the last {of} completed sessions are excluded, more than before. The screening on the study’s page shows by which rule.
        </Trans>
      );
    case 'clip_fails':
      return (
        <>
          <Plural value={count} one={`${group}: a video did not play for # person, of ${sent} to whom it was sent.`} other={`${group}: a video did not play for # people, of ${sent} to whom it was sent.`} />{' '}
          <button type="button" className="button button--quiet button--small" onClick={() => { onOpen(subject.split('/').at(-1) ?? ''); }}>
            <Trans>Show the video</Trans>
          </button>
        </>
      );
    case 'quota_full':
      return (
        <Trans>
          {group}: the quota is full, {count} of {of} sessions count. Stop recruiting for this link, then close it.
        </Trans>
      );
    case 'ids_missing':
      return (
        <Plural
          value={count}
          one={`${group}: since yesterday, the link was opened # time without the recruiter’s ID. Check the link that you gave the recruiter.`}
          other={`${group}: since yesterday, the link was opened # times without the recruiter’s ID. Check the link that you gave the recruiter.`}
        />
      );
    default:
      return <>{code}</>;
  }
}
