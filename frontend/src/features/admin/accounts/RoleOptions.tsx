import { useLingui } from '@lingui/react/macro';

/** The roles as options of a select. */
export function RoleOptions() {
  const { t } = useLingui();
  return (
    <>
      <option value="guest">{t`guest`}</option>
      <option value="researcher">{t`researcher`}</option>
      <option value="admin">{t`admin`}</option>
    </>
  );
}
