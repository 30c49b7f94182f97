import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';

import { answer, api } from '../../../shared/api/client';
import type { SecondFactorSetup } from '../../../shared/api/contract.gen';
import { CopyButton } from '../../../shared/ui/CopyButton';
import { useRefusal } from '../refusal';

const Typed = v.object({ code: v.pipe(v.string(), v.transform((text) => text.replace(/\s/g, '')), v.regex(/^[0-9]{6}$/)) });

export function SetUp({ isNeeded, onCodes }: { isNeeded: boolean; onCodes: (codes: string[]) => void }) {
  const begin = useMutation({ mutationFn: () => answer(api.POST('/api/auth/second-factor/setup')) });
  if (begin.data !== undefined) return <FirstCode setup={begin.data} onCodes={onCodes} />;
  return (
    <>
      <p className="prose">
        {isNeeded ? (
          <Trans>This platform requires a second factor. Set it up before you go on: you need an authenticator app, for example on your phone.</Trans>
        ) : (
          <Trans>With a second factor, a stolen password is not enough to log in: the login also asks for a code from an authenticator app, for example on your phone.</Trans>
        )}
      </p>
      {begin.error !== null && (
        <p role="alert" className="field-error">
          {begin.error.message}
        </p>
      )}
      <button type="button" className="button" disabled={begin.isPending} onClick={() => { begin.mutate(); }}>
        <Trans>Set up</Trans>
      </button>
    </>
  );
}

function FirstCode({ setup, onCodes }: { setup: SecondFactorSetup; onCodes: (codes: string[]) => void }) {
  const { t } = useLingui();
  const refusal = useRefusal();
  const form = useForm({ resolver: valibotResolver(Typed), defaultValues: { code: '' } });
  const confirm = useMutation({
    mutationFn: (body: v.InferOutput<typeof Typed>) => answer(api.POST('/api/auth/second-factor/confirm', { body })),
    onSuccess: ({ recovery_codes }) => { onCodes(recovery_codes); },
  });
  const invalid = form.formState.errors.code !== undefined;
  return (
    <div className="setup">
      <img className="setup__code" src={setup.qr_code} alt={t`QR code of the secret`} />
      <div>
        <p>
          <Trans>
            Scan the QR code with your authenticator app, enter the secret there, or <a href={setup.uri}>open the app on this device</a>.
          </Trans>
        </p>
        <p className="secret__line">
          <code aria-label={t`Secret`}>{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={setup.secret} />
        </p>
        <form noValidate onSubmit={(event) => void form.handleSubmit((typed) => { confirm.mutate(typed); })(event)}>
          <label className="field">
            <span>
              <Trans>Six-digit code that the app shows now</Trans>
            </span>
            <input type="text" inputMode="numeric" autoComplete="one-time-code" aria-invalid={invalid} {...form.register('code')} />
          </label>
          <div role="alert" className="field-error">
            {invalid && <p>{t`Please enter the six digits that the app shows.`}</p>}
            {confirm.error !== null && <p>{refusal(confirm.error)}</p>}
          </div>
          <button type="submit" className="button" disabled={confirm.isPending}>
            <Trans>Turn on</Trans>
          </button>
        </form>
      </div>
    </div>
  );
}
