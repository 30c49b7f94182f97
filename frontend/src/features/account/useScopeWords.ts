import { useLingui } from '@lingui/react/macro';

import type { Token } from '../../shared/api/tokens';

/** What a token may do, in words. */
export function useScopeWords(): Record<Token['scope'], string> {
  const { t } = useLingui();
  return { results: t`read results and export`, studies: t`publish studies, read results`, batches: t`send batches` };
}
