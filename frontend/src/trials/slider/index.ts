import { defineTrial } from '../kind';
import { SliderData, SliderParams } from './schema';
import { SliderView } from './SliderView';

/** Slider: one film, then satisfaction with its speed from 0 to 100. */
export default defineTrial({ kind: 'slider', version: 2, params: SliderParams, data: SliderData, View: SliderView });
