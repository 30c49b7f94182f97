import { defineTrial } from '../kind';
import { SliderData, SliderParams } from './schema';
import { SliderView } from './SliderView';

/** One film, then how satisfying its speed was, anywhere from 0 to 100. */
export default defineTrial({ kind: 'slider', version: 2, params: SliderParams, data: SliderData, View: SliderView });
