import { createContext } from 'react';

import type { AnswerFrom } from './scale';

/** What the page of a trial and the film in it tell each other; the kinds of trial in between need not know it. */
export interface Stage {
  answerFrom: AnswerFrom;
  /** A play begins or is over, at these ms of performance.now(). */
  onPlaying: (playing: boolean, at: number) => void;
}

export const StageContext = createContext<Stage>({ answerFrom: 'end', onPlaying: () => undefined });
