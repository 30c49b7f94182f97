import { useLingui } from '@lingui/react/macro';

import type { TokenRow } from '../../shared/api/contract.gen';

/** What a token may do, in words. */
export function useScopeWords(): Record<TokenRow['scope'], string> {
  const { t } = useLingui();
  return { results: t`read results and export`, studies: t`publish studies, read results`, batches: t`send batches` };
}
