import type { Control, Session, Trial } from '../../shared/api/forms';

/** Where a participant stands. Everything follows from the session, what waits in the outbox, and what this page did. */
export type Step =
  | { page: 'person' }
  | { page: 'instructions' }
  | { page: 'trial'; trial: Trial; next: Trial | null; number: number; total: number }
  | { page: 'control'; control: Control; next: Trial | null }
  | { page: 'finish' };

export interface Done {
  /** Positions answered: what the server holds, and what is kept on this device. */
  answered: ReadonlySet<number>;
  /** Positions that the person chose to skip in a narrow window. */
  skipped: ReadonlySet<number>;
  /** Keys of the control questions answered. */
  controls: ReadonlySet<string>;
  personAnswered: boolean;
  instructed: boolean;
}

export function stepOf(session: Session, done: Done): Step {
  if (session.state === 'completed') return { page: 'finish' };
  const open = session.trials.filter((trial) => !done.answered.has(trial.position) && !done.skipped.has(trial.position));
  const begun = open.length < session.trials.length;
  if (!done.personAnswered && session.study.questions.length > 0) return { page: 'person' };
  if (!done.instructed && !begun) return { page: 'instructions' };
  const [trial, next] = open;
  const passed = session.trials.length - open.length;
  // whoever skips trials comes to the end before the turn of some
  const control = session.controls.find(({ key, after }) => !done.controls.has(key) && (after <= passed || trial === undefined));
  if (control !== undefined) return { page: 'control', control, next: trial ?? null };
  if (trial === undefined) return { page: 'finish' };
  return { page: 'trial', trial, next: next ?? null, number: session.trials.indexOf(trial) + 1, total: session.trials.length };
}

/** The open trials for which this window is too small. */
export function tooNarrow(session: Session, done: Done, hasRoom: (trial: Trial) => boolean): number[] {
  return session.trials.filter((trial) => !done.answered.has(trial.position) && !hasRoom(trial)).map((trial) => trial.position);
}
