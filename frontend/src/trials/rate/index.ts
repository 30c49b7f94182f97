import { defineTrial } from '../kind';
import { RateView } from './RateView';
import { RateData, RateParams } from './schema';

/** One film, then how satisfying its speed was, on seven points. */
export default defineTrial({ kind: 'rate', version: 2, params: RateParams, data: RateData, View: RateView });
