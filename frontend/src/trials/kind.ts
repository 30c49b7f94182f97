import { type ComponentType, createElement } from 'react';
import * as v from 'valibot';

import type { Clip } from '../shared/api/forms';
import type { Language } from '../shared/i18n/language';
import type { PlayRecord } from '../shared/player/evidence/evidence';
import type { Timing } from '../shared/player/evidence/timing';
import type { Layout } from './layout';

/** Props of every trial kind. */
export interface TrialProps {
  clip: Clip;
  /** The context to imagine, such as "at work". */
  context: string;
  language: Language;
  onPlay: (play: PlayRecord & { replay: boolean }) => void;
  onAnswer: (answer: Answer) => void;
}

/** An answer with its times, replays, and the layout of the answers. */
export interface Answer<Data = Record<string, unknown>> extends Timing {
  data: Data;
  layout: Layout;
}

/** Props of the view of a kind, with parsed parameters and typed answers. */
export interface ViewProps<Params, Data> extends Omit<TrialProps, 'onAnswer'> {
  params: Params;
  onAnswer: (answer: Answer<Data>) => void;
}

/** A vote's data is an object with named fields. */
type DataSchema = v.GenericSchema<unknown, Record<string, unknown>>;

interface Definition<P extends v.GenericSchema, D extends DataSchema> {
  kind: string;
  version: number;
  /** Schema of the parameters in the study file. */
  params: P;
  /** Schema of a vote's data. */
  data: D;
  View: ComponentType<ViewProps<v.InferOutput<P>, v.InferOutput<D>>>;
}

/** A trial whose parameters have been parsed. */
export interface PreparedTrial {
  View: ComponentType<TrialProps>;
}

export interface TrialKind {
  kind: string;
  version: number;
  /** Throws valibot's error if the parameters do not belong to this kind. */
  prepare: (params: unknown) => PreparedTrial;
  isData: (data: unknown) => boolean;
}

/** Wraps a typed kind in a common interface for the registry and the page. */
export function defineTrial<P extends v.GenericSchema, D extends DataSchema>(definition: Definition<P, D>): TrialKind {
  const { View } = definition;
  return {
    kind: definition.kind,
    version: definition.version,
    isData: (data) => v.is(definition.data, data),
    prepare: (raw) => {
      const params = v.parse(definition.params, raw);
      return {
        View: (props) =>
          createElement(View, { ...props, params, onAnswer: (answer) => { props.onAnswer({ ...answer, data: v.parse(definition.data, answer.data) }); } }),
      };
    },
  };
}
