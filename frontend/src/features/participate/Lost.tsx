import { Trans } from '@lingui/react/macro';

import type { Loss } from '../../shared/outbox/verdict';
import { Contact } from '../../shared/ui/Contact';
import { Notice } from '../../shared/ui/Notice';

/** Nothing more can be sent from this page. */
export function Lost({ loss, contact }: { loss: Loss; contact: string }) {
  switch (loss) {
    case 'ended':
      return (
        <Notice title={<Trans>Your session has ended</Trans>}>
          <p>
            <Trans>
              The server no longer knows this session, so the last answers could not be sent. Please write to <Contact contact={contact} />.
            </Trans>
          </p>
        </Notice>
      );
    case 'other_session':
      return (
        <Notice title={<Trans>Another session began in this browser</Trans>}>
          <p>
            <Trans>
              You began this study again in another tab or window, so this page can send nothing more. Answers that were not sent yet stay on this device.
              Please go on in the other tab, or write to <Contact contact={contact} />.
            </Trans>
          </p>
        </Notice>
      );
  }
}
