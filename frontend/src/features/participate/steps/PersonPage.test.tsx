import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import type { Question } from '../../../shared/api/forms';
import { plainSession, studyText } from '../../../test/records';
import { serve, show } from '../../../test/show';
import { soon } from '../../../test/soon';
import { PersonPage } from './PersonPage';

const question = (key: string, required: boolean): Question => ({ key, label: { en: key }, required, choices: [{ key: 'a', label: { en: `${key} a` } }] });
const session = { ...plainSession, study: { ...studyText, questions: [question('age', true), question('glasses', false)] }, person_answered: false };

it.each([
  ['Please answer every question.', [true, true]],
  ['Please answer every question that is not marked as optional.', [true, false]],
])('says before anyone answers: %s', (sentence, required) => {
  show(<PersonPage session={{ ...session, study: { ...studyText, questions: required.map((isRequired, index) => question(String(index), isRequired)) } }} onDone={vi.fn()} />);
  expect(screen.getByText(sentence)).toBeVisible();
  expect(screen.queryAllByText('(optional)')).toHaveLength(required.filter((isRequired) => !isRequired).length);
});

it('lets the person undo an answer to an optional question, and sends none', async () => {
  const user = userEvent.setup();
  const sent = serve({ 'PUT /api/session/person': [204, null] });
  const onDone = vi.fn();
  show(<PersonPage session={session} onDone={onDone} />);
  expect(screen.queryAllByRole('radio', { checked: true })).toEqual([]);
  expect(screen.getAllByRole('radio', { name: 'No answer' })).toHaveLength(1);
  await user.click(screen.getByRole('radio', { name: 'age a' }));
  await user.click(screen.getByRole('radio', { name: 'glasses a' }));
  await user.click(screen.getByRole('radio', { name: 'No answer' }));
  expect(screen.getByRole('radio', { name: 'glasses a' })).not.toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await soon(() => { expect(onDone).toHaveBeenCalled(); });
  expect(sent).toEqual([{ call: 'PUT /api/session/person', body: { session_id: 's', answers: { age: 'a' } } }]);
});

it('moves the focus to the first required question without an answer, and sends all once', async () => {
  const user = userEvent.setup();
  const sent = serve({ 'PUT /api/session/person': [204, null] });
  show(<PersonPage session={{ ...session, study: { ...studyText, questions: [question('age', true), question('glasses', false), question('screen', true)] } }} onDone={vi.fn()} />);
  const next = screen.getByRole('button', { name: 'Continue' });
  expect(screen.queryByText('Please choose an answer.')).not.toBeInTheDocument();
  await user.click(next);
  expect(screen.getByRole('radio', { name: 'age a' })).toHaveFocus();
  expect(screen.getAllByText('Please choose an answer.')).toHaveLength(2);
  await user.click(screen.getByRole('radio', { name: 'age a' }));
  await user.click(next);
  expect(screen.getByRole('radio', { name: 'screen a' })).toHaveFocus();
  expect(screen.getByRole('radiogroup', { name: 'screen' })).toHaveAccessibleDescription('Please choose an answer.');
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('radio', { name: 'screen a' }));
  await user.click(next);
  await soon(() => { expect(sent.map(({ body }) => body)).toEqual([{ session_id: 's', answers: { age: 'a', screen: 'a' } }]); });
});
