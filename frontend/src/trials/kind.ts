import { type ComponentType, createElement } from 'react';
import * as v from 'valibot';

import type { Clip } from '../shared/api/forms';
import type { Language } from '../shared/i18n/language';
import type { PlayRecord } from '../shared/player/evidence/evidence';
import type { Timing } from '../shared/player/evidence/timing';
import type { Layout } from './layout';

/** What every kind of trial gets, and how it reports. */
export interface TrialProps {
  clip: Clip;
  /** "at work": where the participant is asked to imagine to be. */
  context: string;
  language: Language;
  onPlay: (play: PlayRecord & { replay: boolean }) => void;
  onAnswer: (answer: Answer) => void;
}

/** What was answered, when, and how the answers stood: the film's own time and the replays go with it. */
export interface Answer<Data = Record<string, unknown>> extends Timing {
  data: Data;
  layout: Layout;
}

/** What a kind's own view gets: its parameters parsed, and answers of its own type. */
export interface ViewProps<Params, Data> extends Omit<TrialProps, 'onAnswer'> {
  params: Params;
  onAnswer: (answer: Answer<Data>) => void;
}

/** A vote's data is an object with named fields. */
type DataSchema = v.GenericSchema<unknown, Record<string, unknown>>;

interface Definition<P extends v.GenericSchema, D extends DataSchema> {
  kind: string;
  version: number;
  /** What the study file may set. */
  params: P;
  /** What a vote holds. */
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
  /** Throws valibot's error where the parameters are not of this kind. */
  prepare: (params: unknown) => PreparedTrial;
  isData: (data: unknown) => boolean;
}

/** Wraps a kind with its own types in a common interface for the registry and the page. */
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
