import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';

import { CodeField } from '../CodeField';
import { useRefusal, whileBusy } from '../refusal';

const Proof = v.object({ password: v.pipe(v.string(), v.nonEmpty()), code: v.pipe(v.string(), v.trim(), v.nonEmpty()) });
type Proof = v.InferOutput<typeof Proof>;

interface Props<Answer> {
  ask: (proof: Proof) => Promise<Answer>;
  action: ReactNode;
  children: ReactNode;
  onCancel: () => void;
  onDone: (answer: Answer) => void;
}

/** Asks for password and code before a change of the second factor. */
export function ProofForm<Answer>({ ask, action, children, onCancel, onDone }: Props<Answer>) {
  const { t } = useLingui();
  const refusal = useRefusal();
  const form = useForm({ resolver: valibotResolver(Proof), defaultValues: { password: '', code: '' } });
  const change = useMutation({ mutationFn: ask, ...whileBusy, onSuccess: onDone });
  const { errors } = form.formState;
  return (
    <form className="narrow" noValidate onSubmit={(event) => void form.handleSubmit((proof) => { change.mutate(proof); })(event)}>
      <p>{children}</p>
      <label className="field">
        <span>
          <Trans>Password</Trans>
        </span>
        <input type="password" autoComplete="current-password" aria-invalid={errors.password !== undefined} {...form.register('password')} />
      </label>
      <CodeField field={form.register('code')} invalid={errors.code !== undefined} />
      <div role="alert" className="field-error">
        {(errors.password !== undefined || errors.code !== undefined) && <p>{t`Please enter both password and code.`}</p>}
        {change.error !== null && <p>{refusal(change.error)}</p>}
      </div>
      <div className="actions">
        <button type="button" className="button button--quiet" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </button>
        <button type="submit" className="button" disabled={change.isPending}>
          {action}
        </button>
      </div>
    </form>
  );
}
