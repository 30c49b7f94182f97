import { createContext, type ReactNode } from 'react';

import type { PlayFault } from '../api/participant';
import type { Size } from './evidence/evidence';
import type { AnswerFrom } from './evidence/scale';
import { nothingSeen, type Seen } from './evidence/timing';

/** What the page of a trial and the film in it tell each other; the kinds of trial in between need not know it. */
export interface Stage {
  answerFrom: AnswerFrom;
  /** What was seen of the film before the page was loaded again. */
  seenBefore: Seen;
  /** The window without which no play is started; null where this one will do. */
  needed: Size | null;
  /** The smallest scale at which the film may be shown, in CSS pixels per captured pixel. */
  least: number;
  /** A play begins or is over, at these ms of performance.now(); `seen` counts it once it is over. */
  onPlaying: (playing: boolean, at: number, seen: Seen) => void;
  /** The clip cannot be played. */
  onFault: (fault: PlayFault) => void;
  /** Reports that the clip cannot be played, and goes on without it; null where that is not possible. Rejects if the report does not arrive. */
  onSkip: ((fault: PlayFault) => Promise<void>) | null;
  /** Whom to write to where the clip cannot be played. */
  contact: string;
  /** For a person whose browser cannot show the film. */
  wayOut: ReactNode;
}

export const plainStage: Stage = { answerFrom: 'end', seenBefore: nothingSeen, needed: null, least: 0, onPlaying: () => undefined, onFault: () => undefined, onSkip: null, contact: '', wayOut: null };

export const StageContext = createContext<Stage>(plainStage);
