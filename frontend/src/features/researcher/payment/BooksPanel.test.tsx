import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';

import type { BooksOut } from '../../../shared/api/contract.gen';
import { serve, show } from '../../../test/show';
import { BooksPanel } from './BooksPanel';

const sha256 = 'a'.repeat(64);
const call = `POST /api/research/studies/${sha256}/books`;
const books: BooksOut = {
  entries: [
    { person: 'ann', submission: 's1', status: 'waiting', action: 'approve', why: 'accepted', rules: [], explanation: 'The study accepted them.' },
    { person: 'bob', submission: 's2', status: 'waiting', action: 'reject', why: 'not_accepted', rules: ['R7'], explanation: 'They broke rules. (R7)' },
    { person: 'eve', submission: 's3', status: 'paid', action: 'nothing', why: 'settled', rules: [], explanation: 'Nothing is left to do.' },
  ],
  actions: { approve: 1, reject: 1, nothing: 1 },
  files: [{ name: 'approve.txt', text: 's1\n' }],
};

/** A file as browsers have it; that of jsdom cannot be read as text. */
function csv(text: string): File {
  return Object.assign(new File([text], 'list.csv', { type: 'text/csv' }), { text: () => Promise.resolve(text) });
}

async function read(blob: Blob | undefined): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(reader.result as string);
    };
    reader.readAsText(blob ?? new Blob());
  });
}

async function compare(answer: unknown, recruiters: Record<string, string> = { prolific: 'Prolific' }) {
  const sent = serve({ [call]: answer });
  show(<BooksPanel sha256={sha256} recruiters={recruiters} />);
  await userEvent.click(screen.getByText('Compare the recruiter’s list'));
  return sent;
}

it('says what to do, first what is decided by a person, and offers the files', async () => {
  const sent = await compare(books);
  await userEvent.upload(screen.getByLabelText('Choose the CSV file'), csv('Participant id\nann\n'));
  expect(await screen.findByText(/reject: 1 · approve: 1/)).toBeVisible();
  expect(screen.getByText('1 submission needs no action.')).toBeVisible();
  const table = within(screen.getByRole('region', { name: 'Actions at the recruiter' }));
  expect(table.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['bob s2', 'reject', 'They broke rules. (R7)', 'ann s1', 'approve', 'The study accepted them.']);
  expect(screen.getByRole('button', { name: 'approve.txt' })).toBeEnabled();
  expect(sent).toEqual([{ call, body: { group: 'prolific', format: 'prolific', text: 'Participant id\nann\n', person: '', submission: '', code: '', origin: 'person', lang: 'en' } }]);
});

/** The files that are saved from now on. */
function saving(): Blob[] {
  const saved: Blob[] = [];
  URL.createObjectURL = (blob) => {
    saved.push(blob as Blob);
    return 'blob:file';
  };
  URL.revokeObjectURL = () => undefined;
  return saved;
}

const [first] = books.entries;
const gone = { ...first, status: 'gone', why: 'accepted_but_gone', explanation: 'It timed out.' };
const amountLabel = 'Bonus per person, in the study’s currency';

it('writes a bonus file only with an amount', async () => {
  const saved = saving();
  await compare({ ...books, entries: [{ ...gone, person: 'ann', action: 'bonus' }, { ...gone, person: 'bo', action: 'bonus' }], actions: { bonus: 2 }, files: [] });
  await userEvent.upload(screen.getByLabelText('Choose the CSV file'), csv('Participant id\nann\n'));
  const button = await screen.findByRole('button', { name: 'bonus.csv' });
  const amount = screen.getByLabelText(amountLabel);
  for (const wrong of ['0', '1.234', 'a lot']) {
    await userEvent.clear(amount);
    await userEvent.type(amount, wrong);
    expect(button).toBeDisabled();
  }
  await userEvent.clear(amount);
  await userEvent.type(amount, '1,5');
  await userEvent.click(button);
  expect(await read(saved[0])).toBe('ann,1.5\nbo,1.5\n');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('pays a bonus by a list that does not show bonuses only after confirmation, which each comparison needs', async () => {
  const saved = saving();
  const decided = { ...gone, action: 'decide' };
  await compare({ ...books, entries: [{ ...decided, person: 'ann' }, { ...decided, person: 'bo' }, { ...decided, person: 'eve', why: 'accepted_but_unknown' }], actions: { decide: 3 }, files: [] });
  await userEvent.upload(screen.getByLabelText('Choose the CSV file'), csv('Participant id\nann\n'));
  const name = /I have not yet paid a bonus to the 2 accepted people/;
  expect(await screen.findByRole('checkbox', { name })).not.toBeChecked();
  expect(screen.queryByRole('button', { name: 'bonus.csv' })).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name }));
  await userEvent.type(screen.getByLabelText(amountLabel), '2');
  await userEvent.click(screen.getByRole('button', { name: 'bonus.csv' }));
  expect(await read(saved[0])).toBe('ann,2\nbo,2\n');
  await userEvent.upload(screen.getByLabelText('Choose the CSV file'), csv('Participant id\nbo\n'));
  await waitFor(() => { expect(screen.getByRole('checkbox', { name })).not.toBeChecked(); });
});

it('asks for the columns of another recruiter, and shows the server’s message', async () => {
  await compare([422, { error: { code: 'invalid', message: 'The list has no column.', retry: false, details: {} } }], { sona: 'SONA' });
  expect(screen.getByLabelText('Source of the list')).toHaveValue('other');
  await userEvent.type(screen.getByLabelText('Column with the participant’s ID'), 'who');
  await userEvent.upload(screen.getByLabelText('Choose the CSV file'), csv('who\n'));
  expect(await screen.findByRole('alert')).toHaveTextContent('The list has no column.');
});

it('compares by Prolific’s API first, and pays after confirmation', async () => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  const path = `${call}/prolific`;
  const sent = serve({ [path]: { ...books, approve: ['s1'], ask_to_return: ['s4', 's5'], applied: null } });
  show(<BooksPanel sha256={sha256} recruiters={{ prolific: 'Prolific' }} />);
  await userEvent.click(screen.getByText('Compare the recruiter’s list'));
  await userEvent.selectOptions(screen.getByLabelText('Source of the list'), 'api');
  await userEvent.type(screen.getByLabelText('ID of the study on Prolific'), '65f0');
  await userEvent.type(screen.getByLabelText('API token of Prolific'), 'secret');
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Approve 1, ask 2 to return …' }));
  expect(screen.getByText(/1 submission is approved and paid\. 2 people get a message/)).toBeVisible();
  expect(sent).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Approve and ask' }));
  expect(sent.map(({ body }) => (body as { approve: string[] }).approve)).toEqual([[], ['s1']]);
  // other values were not compared: nothing is offered
  await userEvent.type(screen.getByLabelText('ID of the study on Prolific'), '9');
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
});
