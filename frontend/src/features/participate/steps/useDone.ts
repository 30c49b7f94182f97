import { useMemo, useState } from 'react';

import type { Session } from '../../../shared/api/forms';
import { recall, remember } from '../../../shared/lib/storage';
import type { OutboxState } from '../../../shared/outbox/outbox';
import type { Done } from './flow';

interface DoneActions {
  answer: (position: number) => void;
  answerControl: (key: string) => void;
  skip: (positions: readonly number[]) => void;
  answerPerson: () => void;
  /** The server has no answers about the person. */
  askPerson: () => void;
  instruct: () => void;
  /** A new situation was announced before the trial at this position. */
  announce: (position: number) => void;
  /** Discards the local state and uses only that of the server and the outbox. */
  forget: () => void;
}

/** The completed steps of a session, combined from the server, the outbox and this page. */
export function useDone(session: Session, outbox: OutboxState): [Done, DoneActions] {
  // entries left by an earlier page still count after they are sent, because `session` was read before that
  const [answeredHere, setAnsweredHere] = useState<ReadonlySet<number>>(() => new Set(votesIn(outbox)));
  const [controlsHere, setControlsHere] = useState<ReadonlySet<string>>(() => new Set(controlsIn(outbox)));
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(() => new Set(recallSkipped(session.id)));
  const [personAnswered, setPersonAnswered] = useState(session.person_answered);
  const [instructed, setInstructed] = useState(() => recall(instructedKey(session.id), 'sessionStorage') !== null);
  const [announced, setAnnounced] = useState<ReadonlySet<number>>(() => new Set());

  const done = useMemo<Done>(() => {
    return {
      answered: new Set([...session.answered, ...answeredHere]),
      controls: new Set([...session.controls_answered, ...controlsHere]),
      skipped,
      personAnswered,
      instructed,
      announced,
    };
  }, [session.answered, session.controls_answered, answeredHere, controlsHere, skipped, personAnswered, instructed, announced]);

  const actions: DoneActions = {
    answer: (position) => { setAnsweredHere((before) => new Set([...before, position])); },
    answerControl: (key) => { setControlsHere((before) => new Set([...before, key])); },
    skip: (positions) => {
      const all = new Set([...skipped, ...positions]);
      rememberSkipped(session.id, all);
      setSkipped(all);
    },
    answerPerson: () => { setPersonAnswered(true); },
    askPerson: () => { setPersonAnswered(false); },
    instruct: () => {
      // after a reload, the person returns directly to the first video
      remember(instructedKey(session.id), 'yes', 'sessionStorage');
      setInstructed(true);
    },
    announce: (position) => { setAnnounced((before) => new Set([...before, position])); },
    forget: () => {
      setAnsweredHere(new Set(votesIn(outbox)));
      setControlsHere(new Set(controlsIn(outbox)));
    },
  };
  return [done, actions];
}

function votesIn(outbox: OutboxState): number[] {
  return outbox.waiting.filter((envelope) => envelope.kind === 'vote').map((envelope) => envelope.body.position);
}

function controlsIn(outbox: OutboxState): string[] {
  return outbox.waiting.filter((envelope) => envelope.kind === 'control').map((envelope) => envelope.body.key);
}

const instructedKey = (sessionId: string) => `eyelevel.instructed.${sessionId}`;
const keyOf = (sessionId: string) => `eyelevel.skipped.${sessionId}`;

/** Positions of skipped trials, stored across reloads. */
export function recallSkipped(sessionId: string): number[] {
  return (recall(keyOf(sessionId)) ?? '').split(',').filter((part) => part !== '').map(Number).filter(Number.isInteger);
}

export function rememberSkipped(sessionId: string, positions: Iterable<number>): void {
  remember(keyOf(sessionId), [...positions].join(','));
}
