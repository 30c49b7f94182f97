import { Trans, useLingui } from '@lingui/react/macro';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';

import type { ShareLevel } from '../../../shared/api/contract.gen';

const Wish = v.object({ username: v.pipe(v.string(), v.trim(), v.nonEmpty()), level: v.picklist(['read', 'edit']) });

export function ShareForm({ busy, onShare }: { busy: boolean; onShare: (username: string, level: ShareLevel) => void }) {
  const { t } = useLingui();
  const form = useForm<v.InferOutput<typeof Wish>>({ resolver: valibotResolver(Wish), defaultValues: { username: '', level: 'read' } });
  const share = form.handleSubmit(({ username, level }) => {
    onShare(username, level);
    form.reset();
  });
  return (
    <form className="inline-form" noValidate onSubmit={(event) => void share(event)}>
      <label className="field">
        <span>
          <Trans>User name</Trans>
        </span>
        <input type="text" autoComplete="off" autoCapitalize="none" aria-invalid={form.formState.errors.username !== undefined} {...form.register('username')} />
      </label>
      <label className="field">
        <span>
          <Trans>Access</Trans>
        </span>
        <select {...form.register('level')}>
          <option value="read">{t`read`}</option>
          <option value="edit">{t`edit`}</option>
        </select>
      </label>
      <button type="submit" className="button" disabled={busy}>
        <Trans>Share</Trans>
      </button>
    </form>
  );
}
