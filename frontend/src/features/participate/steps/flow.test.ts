import { describe, expect, it } from 'vitest';

import type { Session, Trial } from '../../../shared/api/forms';
import { plainSession, plainTrial, studyText } from '../../../test/records';
import { type Done, stepOf, tooNarrow, wayOf } from './flow';

const trial = (position: number, kind = 'rate'): Trial => ({ ...plainTrial, position, kind });
const question = { key: 'age', label: {}, required: true, choices: [] };
const session = (change: Partial<Session> = {}): Session => ({
  ...plainSession,
  study: { ...studyText, questions: [question], trial_count: 3 },
  person_answered: false,
  trials: [trial(1), trial(2), trial(3, 'compare')],
  ...change,
});
const done = (change: Partial<Done> = {}): Done => ({ answered: new Set(), skipped: new Set(), controls: new Set(), personAnswered: true, instructed: true, announced: new Set(), ...change });

describe('the order of steps', () => {
  it('increases with each page, from nothing to complete', () => {
    const whole = session({ controls: [{ key: 'c', after: 1, label: {}, choices: [] }] });
    const passed = (change: Partial<Done>) => wayOf(whole, done(change)).passed;
    expect(wayOf(whole, done({ personAnswered: false, instructed: false }))).toEqual({ passed: 0, total: 6 });
    expect(passed({ instructed: false })).toBe(1);
    expect(passed({})).toBe(2);
    expect(passed({ answered: new Set([1]), instructed: false })).toBe(3);
    expect(passed({ answered: new Set([1]), controls: new Set(['c']) })).toBe(4);
    expect(passed({ answered: new Set([1, 2, 3]), controls: new Set(['c']) })).toBe(6);
  });

  it('counts only what this person sees', () => {
    const left = (trial: Trial) => trial.kind === 'compare';
    expect(wayOf(session(), done({ answered: new Set([1]) }), left)).toEqual({ passed: 3, total: 4 });
    expect(wayOf(session(), done({ answered: new Set([1, 2]) }), left)).toEqual({ passed: 4, total: 4 });
    expect(wayOf(session(), done({ answered: new Set([1, 2]), skipped: new Set([3]) }))).toEqual({ passed: 4, total: 4 });
    // answered in another window
    expect(wayOf(session(), done({ answered: new Set([3]) }), left)).toEqual({ passed: 3, total: 5 });
  });

  it('leads from questions and instructions to the first trial', () => {
    expect(stepOf(session(), done({ personAnswered: false, instructed: false })).page).toBe('person');
    expect(stepOf(session(), done({ instructed: false })).page).toBe('instructions');
    expect(stepOf(session(), done())).toMatchObject({ page: 'trial', trial: { position: 1 }, next: { position: 2 }, number: 1, total: 3 });
  });

  it('omits the questions if a study has none', () => {
    const study = { ...session().study, questions: [] };
    expect(stepOf(session({ study }), done({ personAnswered: false, instructed: false })).page).toBe('instructions');
  });

  it('resumes at the first unanswered trial after a reload, without the instructions', () => {
    expect(stepOf(session(), done({ answered: new Set([1]), instructed: false }))).toMatchObject({ page: 'trial', trial: { position: 2 }, number: 2 });
  });

  it('does not count trials that this window leaves out', () => {
    const left = (trial: Trial) => trial.kind === 'compare';
    expect(stepOf(session(), done(), left)).toMatchObject({ number: 1, total: 2 });
    expect(stepOf(session(), done({ answered: new Set([1, 2]) }), left)).toMatchObject({ trial: { position: 3 }, number: 2, total: 2 });
    const control = { key: 'c', after: 1, label: {}, choices: [] };
    const between = session({ trials: [trial(1), trial(2, 'compare'), trial(3)], controls: [control] });
    expect(stepOf(between, done({ answered: new Set([1]) }), left)).toMatchObject({ page: 'control', number: 2, total: 2 });
    expect(stepOf(session(), done({ answered: new Set([3]) }), left)).toMatchObject({ number: 1, total: 3 });
    const elsewhere = { context: { key: 'plane', label: {} } };
    const changing = session({ trials: [trial(1), { ...trial(2, 'compare'), ...elsewhere }, { ...trial(3), ...elsewhere }] });
    // no situation is announced for what is left out
    expect(stepOf(changing, done({ answered: new Set([1]) }), left)).toMatchObject({ page: 'trial', trial: { position: 2 } });
    expect(stepOf(changing, done({ answered: new Set([1]), skipped: new Set([2]) }), left)).toMatchObject({ page: 'context', trial: { position: 3 } });
    const first = { trials: [trial(1, 'compare'), trial(2), trial(3)] };
    expect(stepOf(session(first), done({ skipped: new Set([1]) }))).toMatchObject({ trial: { position: 2 }, number: 1, total: 2 });
  });

  it('asks about the person before the end, also after a return', () => {
    expect(stepOf(session(), done({ personAnswered: false, answered: new Set([1]) })).page).toBe('person');
    expect(stepOf(session(), done({ personAnswered: false, answered: new Set([1, 2, 3]) })).page).toBe('person');
  });

  it('ends when every trial is answered or skipped, or the session is completed', () => {
    expect(stepOf(session(), done({ answered: new Set([1, 2]), skipped: new Set([3]) })).page).toBe('finish');
    expect(stepOf(session({ state: 'completed' }), done({ personAnswered: false })).page).toBe('finish');
  });

  it('asks a control question after its number of trials, once, and before the end at the latest', () => {
    const control = (key: string, after: number) => ({ key, after, label: {}, choices: [] });
    const asked = session({ controls: [control('first', 0), control('later', 2), control('last', 9)] });
    const at = (change: Partial<Done>) => {
      const step = stepOf(asked, done(change));
      return step.page === 'control' ? step.control.key : step.page;
    };
    expect(at({ instructed: false })).toBe('instructions');
    expect(at({})).toBe('first');
    expect(stepOf(asked, done())).toMatchObject({ next: { position: 1 }, number: 1, total: 3 });
    expect(at({ controls: new Set(['first']) })).toBe('trial');
    expect(at({ controls: new Set(['first']), answered: new Set([1]) })).toBe('trial');
    expect(at({ controls: new Set(['first']), answered: new Set([1]), skipped: new Set([3]) })).toBe('later');
    expect(at({ controls: new Set(['first', 'later']), answered: new Set([1, 2]) })).toBe('trial');
    expect(at({ controls: new Set(['first', 'later']), answered: new Set([1, 2, 3]) })).toBe('last');
    expect(at({ controls: new Set(['first', 'later', 'last']), answered: new Set([1, 2, 3]) })).toBe('finish');
  });

  it('announces a new situation once before its first trial, but not before the first trial of all', () => {
    const free = { key: 'free', label: {} };
    const mixed = session({ trials: [trial(1), trial(2), { ...trial(3), context: free }, { ...trial(4), context: free }] });
    const at = (change: Partial<Done>) => {
      const step = stepOf(mixed, done(change));
      return [step.page, 'trial' in step ? step.trial.position : null];
    };
    expect(at({})).toEqual(['trial', 1]);
    expect(at({ answered: new Set([1]) })).toEqual(['trial', 2]);
    expect(at({ answered: new Set([1, 2]) })).toEqual(['context', 3]);
    expect(at({ answered: new Set([1, 2]), announced: new Set([3]) })).toEqual(['trial', 3]);
    expect(at({ answered: new Set([1, 2, 3]), announced: new Set([3]) })).toEqual(['trial', 4]);
    // the page about the window comes first
    expect(stepOf(mixed, done({ answered: new Set([1, 2]) }), ({ position }) => position > 2).page).toBe('trial');
  });

  it('knows which open trials need a larger window', () => {
    const notCompare = (trial: Trial) => trial.kind !== 'compare';
    expect(tooNarrow(session(), done(), notCompare)).toEqual([3]);
    expect(tooNarrow(session(), done(), () => true)).toEqual([]);
    expect(tooNarrow(session(), done({ answered: new Set([3]) }), notCompare)).toEqual([]);
  });
});
