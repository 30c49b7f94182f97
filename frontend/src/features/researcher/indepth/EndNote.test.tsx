import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { show } from '../../../test/show';
import { EndNote } from './EndNote';

const columns = ['site', 'network', 'stack', 'context', 'end_effect'].map((name) => ({ name, meaning: name }));
const table = (...rows: (string | null)[][]) => [{ name: 'good-or-better', title: 'Good or better', columns, rows }];

describe('the note on votes at an end of the scale', () => {
  it('names the conditions, and leaves out rows over all sites', () => {
    show(<EndNote tables={table([null, 'DSL', 'QUIC', null, 'ceiling'], ['garden', 'DSL', 'QUIC', 'work', 'ceiling'], ['garden', 'LTE', 'QUIC', 'work', 'none'], ['shop', 'LTE', 'TCP+', 'work', 'floor'])} />);
    expect(screen.getByText(/^In 2 conditions, over a quarter of the votes lie at an end of the scale/)).toBeVisible();
    expect(screen.getAllByRole('listitem', { hidden: true }).map((one) => one.textContent)).toEqual(['garden, DSL, QUIC, work: at the upper end', 'shop, LTE, TCP+, work: at the lower end']);
  });

  it('is not there where no condition has it, nor without the table', () => {
    show(<EndNote tables={table(['garden', 'DSL', 'QUIC', 'work', 'none'])} />);
    show(<EndNote tables={[]} />);
    expect(screen.queryByRole('note')).toBeNull();
  });
});
