import { useQuery } from '@tanstack/react-query';

import { answer, api } from '../../../shared/api/client';
import type { MetricOut } from '../../../shared/api/contract.gen';
import { metricsKey } from '../keys';

const none: readonly MetricOut[] = [];

/** All metrics in the order of tables and figures; empty until they are loaded. */
export function useMetrics(): readonly MetricOut[] {
  const { data } = useQuery({ queryKey: metricsKey, queryFn: () => answer(api.GET('/api/metrics')), staleTime: Infinity });
  return data ?? none;
}
