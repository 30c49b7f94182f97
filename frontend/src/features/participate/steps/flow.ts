import type { Control, Session, Trial } from '../../../shared/api/forms';

/** The current step of a session, derived from the session, the outbox, and what this page did. */
export type Step =
  | { page: 'person' }
  | { page: 'instructions' }
  | { page: 'context'; trial: Trial; next: Trial | null; number: number; total: number }
  | { page: 'trial'; trial: Trial; next: Trial | null; number: number; total: number }
  | { page: 'control'; control: Control; next: Trial | null; number: number; total: number }
  | { page: 'finish' };

export interface Done {
  /** Positions answered, on the server or stored on this device. */
  answered: ReadonlySet<number>;
  /** Positions that the person skipped. */
  skipped: ReadonlySet<number>;
  /** Keys of the control questions answered. */
  controls: ReadonlySet<string>;
  personAnswered: boolean;
  instructed: boolean;
  /** Positions of the trials before which a new situation was announced. */
  announced: ReadonlySet<number>;
}

/** Trials that will be skipped unless the window is made larger. */
type LeftOut = (trial: Trial) => boolean;

/** Whether this person sees a trial, given the window size and skipped trials. */
function isCounted(trial: Trial, done: Done, isLeftOut: LeftOut): boolean {
  return done.answered.has(trial.position) || (!done.skipped.has(trial.position) && !isLeftOut(trial));
}

/** The current step of a session. `number` is the position of the next trial among the trials that this person sees, or of the last one. */
export function stepOf(session: Session, done: Done, isLeftOut: LeftOut = () => false): Step {
  if (session.state === 'completed') return { page: 'finish' };
  const open = session.trials.filter((trial) => !done.answered.has(trial.position) && !done.skipped.has(trial.position));
  const begun = open.length < session.trials.length;
  if (!done.personAnswered && session.study.questions.length > 0) return { page: 'person' };
  if (!done.instructed && !begun) return { page: 'instructions' };
  const [trial, next] = open;
  const passed = session.trials.length - open.length;
  // after skipped trials, the end may come before a control question is due
  const control = session.controls.find(({ key, after }) => !done.controls.has(key) && (after <= passed || trial === undefined));
  const counted = session.trials.filter((trial) => isCounted(trial, done, isLeftOut));
  const place = counted.findIndex((trial) => open.includes(trial));
  const count = { number: place === -1 ? counted.length : place + 1, total: counted.length };
  if (control !== undefined) return { page: 'control', control, next: trial ?? null, ...count };
  if (trial === undefined) return { page: 'finish' };
  const at = { trial, next: next ?? null, ...count };
  // the first situation is part of the instructions
  const before = counted[place - 1];
  const isNew = before !== undefined && before.context.key !== trial.context.key && !done.announced.has(trial.position);
  // no announcement for a trial that will be skipped
  return isNew && !isLeftOut(trial) ? { page: 'context', ...at } : { page: 'trial', ...at };
}

/** Progress through the session. Questions about the person, instructions, each trial seen and each control question count as one step. */
export function wayOf(session: Session, done: Done, isLeftOut: LeftOut = () => false): { passed: number; total: number } {
  const asks = session.study.questions.length > 0 ? 1 : 0;
  const counted = session.trials.filter((trial) => isCounted(trial, done, isLeftOut));
  const answered = counted.filter(({ position }) => done.answered.has(position)).length;
  const controls = session.controls.filter(({ key }) => done.controls.has(key)).length;
  const instructed = done.instructed || answered + done.skipped.size > 0 ? 1 : 0;
  const passed = (done.personAnswered ? asks : 0) + instructed + answered + controls;
  return { passed, total: asks + 1 + counted.length + session.controls.length };
}

/** The open trials for which this window is too small. */
export function tooNarrow(session: Session, done: Done, hasRoom: (trial: Trial) => boolean): number[] {
  return session.trials.filter((trial) => !done.answered.has(trial.position) && !hasRoom(trial)).map((trial) => trial.position);
}
