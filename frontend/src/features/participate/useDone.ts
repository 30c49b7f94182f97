import { useMemo, useState } from 'react';

import type { Session } from '../../shared/api/session';
import type { Envelope } from '../../shared/outbox/envelope';
import type { OutboxState } from '../../shared/outbox/outbox';
import type { Done } from './flow';
import { recallSkipped, rememberSkipped } from './skipped';

interface DoneActions {
  answer: (position: number) => void;
  skip: (positions: readonly number[]) => void;
  answerPerson: () => void;
  instruct: () => void;
  /** Believe the server alone again. */
  forget: () => void;
}

/** What is behind the participant, from the server, the outbox and this page together. */
<<<<<<< HEAD
export function useDone(session: Session, outbox: OutboxState): [Done, DoneActions] {
  // what an earlier page left in the outbox counts also once it has been sent: `session` was read before that
  const [answeredHere, setAnsweredHere] = useState<ReadonlySet<number>>(() => new Set(votesIn(outbox)));
=======
export function useDone(session: Session, outbox: OutboxState, found: readonly Envelope[]): [Done, DoneActions] {
  // an answer found in the outbox leaves it once it is sent, and the session was fetched before that
  const [answeredHere, setAnsweredHere] = useState<ReadonlySet<number>>(() => new Set(votedPositions(found)));
>>>>>>> d15c4d6b6e31246d5aa4dd05da5cba79d5061710
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(() => new Set(recallSkipped(session.id)));
  const [personAnswered, setPersonAnswered] = useState(session.person_answered);
  const [instructed, setInstructed] = useState(false);

  const done = useMemo<Done>(() => {
<<<<<<< HEAD
    return { answered: new Set([...session.answered, ...answeredHere]), skipped, personAnswered, instructed };
  }, [session.answered, answeredHere, skipped, personAnswered, instructed]);
=======
    return { answered: new Set([...session.answered, ...votedPositions(outbox.waiting), ...answeredHere]), skipped, personAnswered, instructed };
  }, [session.answered, outbox.waiting, answeredHere, skipped, personAnswered, instructed]);
>>>>>>> d15c4d6b6e31246d5aa4dd05da5cba79d5061710

  const actions: DoneActions = {
    answer: (position) => { setAnsweredHere((before) => new Set([...before, position])); },
    skip: (positions) => {
      const all = new Set([...skipped, ...positions]);
      rememberSkipped(session.id, all);
      setSkipped(all);
    },
    answerPerson: () => { setPersonAnswered(true); },
    instruct: () => { setInstructed(true); },
    forget: () => { setAnsweredHere(new Set(votesIn(outbox))); },
  };
  return [done, actions];
}

<<<<<<< HEAD
function votesIn(outbox: OutboxState): number[] {
  return outbox.waiting.filter((envelope) => envelope.kind === 'vote').map((envelope) => envelope.body.position);
=======
function votedPositions(envelopes: readonly Envelope[]): number[] {
  return envelopes.filter((envelope) => envelope.kind === 'vote').map((envelope) => envelope.body.position);
>>>>>>> d15c4d6b6e31246d5aa4dd05da5cba79d5061710
}
