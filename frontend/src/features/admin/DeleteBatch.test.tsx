import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';

import type { BatchDetail } from '../../shared/api/contract.gen';
import { serve, show } from '../../test/show';
import { DeleteBatch } from './DeleteBatch';

const sha256 = 'a'.repeat(64);
const batch = (studies: string[]) => ({ sha256, campaign: 'tiny', state: 'visible', bytes: 1000, studies }) as unknown as BatchDetail;

it('names the studies that use a batch, and does not offer to delete it', () => {
  serve({});
  show(<DeleteBatch batch={batch(['pilot', 'main'])} />);
  expect(screen.getByText('Used by: pilot, main. A batch can be deleted once no study uses it.')).toBeInTheDocument();
  expect(screen.queryByRole('button')).toBeNull();
});

it('deletes an unused batch after its name was typed', async () => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  const sent = serve({ [`POST /api/batches/${sha256}/deletion`]: [204, null] });
  show(<DeleteBatch batch={batch([])} />);
  await userEvent.click(screen.getByRole('button', { name: 'Delete the batch …' }));
  expect(screen.getByRole('button', { name: 'Delete permanently' })).toBeDisabled();
  await userEvent.type(screen.getByRole('textbox', { name: 'Type tiny to confirm' }), 'tiny');
  await userEvent.click(screen.getByRole('button', { name: 'Delete permanently' }));
  await waitFor(() => { expect(sent).toEqual([{ call: `POST /api/batches/${sha256}/deletion`, body: { confirm: 'tiny' } }]); });
});
