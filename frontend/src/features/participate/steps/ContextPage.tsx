import { Trans } from '@lingui/react/macro';

import type { Trial } from '../../../shared/api/forms';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import { Action, PageHeading } from '../../../shared/ui/page';

/** Asks the participant, between two trials, to imagine another situation. */
export function ContextPage({ context, onDone }: { context: Trial['context']; onDone: () => void }) {
  const label = textIn(context.label, useLanguage());
  return (
    <>
      <PageHeading>
        <Trans>A new situation</Trans>
      </PageHeading>
      <p>
        <Trans>
          From now on, imagine you are <strong>{label}</strong>.
        </Trans>
      </p>
      <Action onClick={onDone}>
        <Trans>Continue</Trans>
      </Action>
    </>
  );
}
