import { Trans } from '@lingui/react/macro';

import type { StudyText } from '../../../shared/api/forms';
import type { Loss } from '../../../shared/outbox/verdict';
import { Notice } from '../../../shared/ui/page';
import { Contact } from '../../../shared/ui/text';
import { NoHelp } from '../recruiter/WayBack';

/** Shown when this page can no longer send answers. */
export function Lost({ loss, study }: { loss: Loss; study: StudyText }) {
  const { contact, recruiter } = study;
  const name = recruiter?.name;
  switch (loss) {
    case 'ended':
      return (
        <Notice title={<Trans>Your session has ended</Trans>}>
          <p>
            <Trans>
              The server no longer knows this session, so the last answers could not be sent. Please write to <Contact contact={contact} />.
            </Trans>
          </p>
          <NoHelp study={study} />
        </Notice>
      );
    case 'other_session':
      return (
        <Notice title={<Trans>Another session was started in this browser</Trans>}>
          <p>
            <Trans>
              You started this study again in another tab or window, so this page cannot send answers any more. Answers that were not sent stay on this device. Please continue in the other tab, or write to <Contact contact={contact} />.
            </Trans>
          </p>
          {name !== undefined && (
            <p>
              <Trans>You can also return to {name} from the other tab.</Trans>
            </p>
          )}
        </Notice>
      );
  }
}
