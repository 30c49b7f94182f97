import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';

import { answer, api } from '../../shared/api/client';
import type { Role, TokenRow } from '../../shared/api/contract.gen';
import { Secret } from '../../shared/ui/CopyButton';

const maxDays = 366;
const defaultDays = 90;
const Wish = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80)),
  scope: v.picklist(['batches', 'studies', 'results']),
  days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxDays)),
});

export function TokenForm({ role, onMade }: { role: Role; onMade: () => void }) {
  const { t } = useLingui();
  const words = useScopeWords();
  const form = useForm<v.InferOutput<typeof Wish>>({ resolver: valibotResolver(Wish), defaultValues: { name: '', scope: 'results', days: defaultDays } });
  const make = useMutation({
    mutationFn: (body: v.InferOutput<typeof Wish>) => answer(api.POST('/api/auth/tokens', { body })),
    onSuccess: () => {
      form.reset();
      onMade();
    },
  });
  const { errors } = form.formState;
  return (
    <form className="inline-form" noValidate onSubmit={(event) => void form.handleSubmit((wish) => { make.mutate(wish); })(event)}>
      <label className="field">
        <span>
          <Trans>Purpose</Trans>
        </span>
        <input type="text" maxLength={80} aria-invalid={errors.name !== undefined} {...form.register('name')} />
      </label>
      <label className="field">
        <span>
          <Trans>Permission</Trans>
        </span>
        <select {...form.register('scope')}>
          <option value="results">{words.results}</option>
          <option value="studies">{words.studies}</option>
          {role === 'admin' && <option value="batches">{words.batches}</option>}
        </select>
      </label>
      <label className="field field--short">
        <span>
          <Trans>Days</Trans>
        </span>
        <input type="number" min={1} max={maxDays} aria-invalid={errors.days !== undefined} {...form.register('days', { valueAsNumber: true })} />
      </label>
      <button type="submit" className="button" disabled={make.isPending}>
        <Trans>Create token</Trans>
      </button>
      <div role="alert" className="field-error">
        {errors.name !== undefined && <p>{t`Please enter the purpose of the token.`}</p>}
        {errors.days !== undefined && <p>{t`A token is valid for 1 to ${maxDays} days.`}</p>}
        {make.error !== null && <p>{make.error.message}</p>}
      </div>
      {make.data !== undefined && <Secret label={<Trans>Copy the token now: it is shown only once.</Trans>} text={make.data.token} />}
    </form>
  );
}

/** Labels of the token scopes. */
export function useScopeWords(): Record<TokenRow['scope'], string> {
  const { t } = useLingui();
  return { results: t`read results and export`, studies: t`publish studies, read results`, batches: t`send batches` };
}
