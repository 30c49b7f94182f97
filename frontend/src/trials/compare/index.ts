import { defineTrial } from '../kind';
import { CompareView } from './CompareView';
import { CompareData, CompareParams } from './schema';

/** Paired comparison: two films side by side, then which was faster, and how sure the person is. */
export default defineTrial({
  kind: 'compare',
  version: 2,
  params: CompareParams,
  data: CompareData,
  View: CompareView,
});
