import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';

import { answer, api } from '../../../shared/api/client';
import { ProofForm } from './ProofForm';

// enough for a few logins without the app
const FEW = 3;

/** Actions while the second factor is on: new recovery codes, and turning it off. Both ask for password and code. */
export function SwitchedOn({ left, onCodes, onOff }: { left: number; onCodes: (codes: string[]) => void; onOff: () => void }) {
  const [wish, setWish] = useState<'none' | 'codes' | 'off'>('none');
  const cancel = () => { setWish('none'); };
  return (
    <>
      <p>
        <Trans>On.</Trans> <Plural value={left} one="# recovery code is left." other="# recovery codes are left." /> {left <= FEW && <strong><Trans>Create new ones soon.</Trans></strong>}
      </p>
      {wish === 'none' && (
        <div className="actions">
          <button type="button" className="button button--quiet" onClick={() => { setWish('codes'); }}>
            <Trans>New recovery codes …</Trans>
          </button>
          <button type="button" className="button button--quiet" onClick={() => { setWish('off'); }}>
            <Trans>Turn off …</Trans>
          </button>
        </div>
      )}
      {wish === 'codes' && (
        <ProofForm
          ask={(body) => answer(api.POST('/api/auth/second-factor/recovery-codes', { body }))}
          action={<Trans>Create new recovery codes</Trans>}
          onCancel={cancel}
          onDone={({ recovery_codes }) => { onCodes(recovery_codes); }}
        >
          <Trans>The recovery codes that you have now will no longer work.</Trans>
        </ProofForm>
      )}
      {wish === 'off' && (
        <ProofForm ask={(body) => answer(api.POST('/api/auth/second-factor/off', { body }))} action={<Trans>Turn off</Trans>} onCancel={cancel} onDone={onOff}>
          <Trans>Turn the second factor off, for example to set it up on a new phone.</Trans>
        </ProofForm>
      )}
    </>
  );
}
