import { Trans } from '@lingui/react/macro';
import { type SubmitEvent, useRef, useState } from 'react';

import type { Control } from '../../../shared/api/forms';
import { textIn, useLanguage } from '../../../shared/i18n/language';
import type { Outbox } from '../../../shared/outbox/outbox';
import { Choices } from '../../../shared/ui/Choices';
import { PageHeading } from '../../../shared/ui/page';

interface Props {
  control: Control;
  outbox: Outbox;
  onAnswered: (key: string) => void;
}

/** A control question between two trials. */
export function ControlPage({ control, outbox, onAnswered }: Props) {
  const language = useLanguage();
  const [choice, setChoice] = useState<string | null>(null);
  // a second press of Enter must not send a second answer
  const sent = useRef(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (choice === null || sent.current) return;
    sent.current = true;
    // the next page is shown only after this answer is stored
    void outbox.add({ kind: 'control', body: { key: control.key, choice } }).then(() => { onAnswered(control.key); });
  };
  return (
    <>
      <PageHeading>
        <Trans>A quick question</Trans>
      </PageHeading>
      <form onSubmit={submit}>
        <Choices
          legend={textIn(control.label, language)}
          layout="list"
          choices={control.choices.map(({ key, label }) => ({ key, label: textIn(label, language) }))}
          value={choice}
          onChange={setChoice}
        />
        <div className="actions">
          <button type="submit" className="button" disabled={choice === null}>
            <Trans>Continue</Trans>
          </button>
        </div>
      </form>
    </>
  );
}
