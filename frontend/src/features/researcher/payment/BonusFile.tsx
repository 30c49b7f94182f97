import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';

import { saveFile } from '../../../shared/api/download';

const amountPattern = /^\d{1,4}([.,]\d{1,2})?$/;

/** Writes the file for a bulk bonus payment: a participant and an amount per line. Empty without anybody to pay. */
export function BonusFile({ people }: { people: string[] }) {
  const { t } = useLingui();
  const id = useId();
  const [amount, setAmount] = useState('');
  if (people.length === 0) return null;
  const valid = amountPattern.test(amount) && Number(amount.replace(',', '.')) > 0;
  const save = () => {
    const lines = people.map((person) => `${person},${amount.replace(',', '.')}\n`);
    saveFile({ name: 'bonus.csv', content: new Blob(lines, { type: 'text/csv' }) });
  };
  return (
    <div className="inline-form">
      <div className="field">
        <label htmlFor={id}>
          <Trans>Bonus per person, in the study’s currency</Trans>
        </label>
        <input id={id} inputMode="decimal" size={8} placeholder="1.50" value={amount} onChange={(event) => { setAmount(event.currentTarget.value.trim()); }} />
      </div>
      <button type="button" className="button button--quiet" disabled={!valid} onClick={save} title={valid ? undefined : t`Enter an amount such as 1.50.`}>
        bonus.csv
      </button>
    </div>
  );
}
