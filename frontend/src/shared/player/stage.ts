import { createContext, type ReactNode } from 'react';

import type { PlayFault } from '../api/participant';
import type { Size } from './evidence/evidence';
import type { AnswerFrom } from './evidence/scale';
import { nothingSeen, type Seen } from './evidence/timing';

/** Interface between a trial's page and its film, passed by context so that trial kinds do not depend on it. */
export interface Stage {
  answerFrom: AnswerFrom;
  /** What was seen of the film before a reload. */
  seenBefore: Seen;
  /** The window size needed to start a play; null if the current one is large enough. */
  needed: Size | null;
  /** The smallest scale at which the film may be shown, in CSS pixels per captured pixel. */
  least: number;
  /** Called when a play starts or ends, with the time in performance.now(); `seen` includes the play after its end. */
  onPlaying: (playing: boolean, at: number, seen: Seen) => void;
  /** Called when the clip cannot be played. */
  onFault: (fault: PlayFault) => void;
  /** Reports that the clip cannot be played, and skips it; null if that is not possible. Rejects if the report cannot be sent. */
  onSkip: ((fault: PlayFault) => Promise<void>) | null;
  /** Contact shown if the clip cannot be played. */
  contact: string;
  /** Alternative for a person whose browser cannot show the film. */
  wayOut: ReactNode;
}

export const plainStage: Stage = { answerFrom: 'end', seenBefore: nothingSeen, needed: null, least: 0, onPlaying: () => undefined, onFault: () => undefined, onSkip: null, contact: '', wayOut: null };

export const StageContext = createContext<Stage>(plainStage);
