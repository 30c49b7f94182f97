import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';

import { saveFile } from '../../../shared/api/download';

const amountPattern = /^\d{1,4}([.,]\d{1,2})?$/;

interface Props {
  /** People who have no bonus yet, by the recruiter's list. */
  due: string[];
  /** People for whom the list does not show whether they have a bonus. */
  unclear: string[];
}

/** Writes the file for a bulk bonus payment: a participant and an amount per line. Empty without anybody to pay. */
export function BonusFile({ due, unclear }: Props) {
  const [unpaid, setUnpaid] = useState(false);
  const count = unclear.length;
  const people = [...new Set(unpaid ? [...due, ...unclear] : due)];
  return (
    <>
      {count > 0 && (
        <label className="check">
          <input type="checkbox" checked={unpaid} onChange={(event) => { setUnpaid(event.target.checked); }} />{' '}
          <span>
            <Plural
              value={count}
              one="I have not yet paid a bonus to the # accepted person whose submission timed out or was returned"
              other="I have not yet paid a bonus to the # accepted people whose submissions timed out or were returned"
            />
          </span>
        </label>
      )}
      {people.length > 0 && <AmountForm people={people} />}
    </>
  );
}

function AmountForm({ people }: { people: string[] }) {
  const { t } = useLingui();
  const id = useId();
  const [amount, setAmount] = useState('');
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
