import { defineTrial } from '../kind';
import { RateView } from './RateView';
import { RateData, RateParams } from './schema';

/** Rating: one film, then satisfaction with its speed on seven points. */
export default defineTrial({ kind: 'rate', version: 2, params: RateParams, data: RateData, View: RateView });
