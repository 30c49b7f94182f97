import { defineTrial } from '../kind';
import { CompareView } from './CompareView';
import { CompareData, CompareParams } from './schema';

/** Two films beside each other, then which was faster, and how sure the person is. */
export default defineTrial({
  kind: 'compare',
  version: 2,
  params: CompareParams,
  data: CompareData,
  View: CompareView,
  minWidthPx: (params) => params.min_width_px,
  // below half its size, small differences between two films are lost
  minScale: 0.5,
});
