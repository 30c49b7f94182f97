import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { show } from '../../../test/show';
import { soon } from '../../../test/soon';
import { fileNameOf, FilePrefix, prefixOf } from '../export/fileNames';
import { Figure } from './Figure';

// jsdom's blobs have no text()
const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => { resolve(reader.result as string); };
    reader.readAsText(blob);
  });
const saved: { name: string; text: Promise<string>; type: string }[] = [];

beforeEach(() => {
  saved.length = 0;
  let content = new Blob();
  // jsdom has neither
  URL.createObjectURL = (blob) => {
    content = blob as Blob;
    return 'blob:1';
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: textOf(content), type: content.type });
  });
});

const figure = {
  name: 'mos-dsl',
  title: 'MOS & more',
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="50" role="img" aria-labelledby="mos-dsl-title"><title id="mos-dsl-title">MOS &amp; more</title><text>drawn</text></svg>',
  alternative: 'One mean.',
  how_to_read: 'Further right is better.',
  table: {
    columns: [{ name: 'stack', label: 'stack', digits: null }, { name: 'mos', label: 'MOS', digits: 2 }, { name: 'ci_low', label: 'interval from', digits: 2 }, { name: 'n', label: 'n', digits: null }],
    rows: [['TCP+', 5.123456789, null, 12]],
  },
};

function showFigure() {
  show(
    <FilePrefix value={prefixOf('pilot', `0123456789abc${'d'.repeat(51)}`, 'person')}>
      <Figure figure={figure} />
    </FilePrefix>,
  );
}

async function savedAs(button: string) {
  await userEvent.click(screen.getByRole('button', { name: `${button}: MOS & more` }));
  await soon(() => { expect(saved).toHaveLength(1); });
  return saved[0];
}

describe('a figure', () => {
  it('is what the server drew, by its name', () => {
    showFigure();
    expect(screen.getByRole('img', { name: 'MOS & more' })).toHaveTextContent('drawn');
  });

  it('is saved as the very SVG, named by study, snapshot and figure', async () => {
    showFigure();
    const file = await savedAs('SVG');
    expect(file).toMatchObject({ name: 'eyelevel-pilot-0123456789ab-mos-dsl.svg', type: 'image/svg+xml' });
    expect(await file?.text).toBe(figure.svg);
  });

  it('is saved as CSV with the table behind it in full precision', async () => {
    showFigure();
    const file = await savedAs('CSV');
    expect(file).toMatchObject({ name: 'eyelevel-pilot-0123456789ab-mos-dsl.csv', type: 'text/csv' });
    expect(await file?.text).toBe('stack,mos,ci_low,n\r\nTCP+,5.123456789,,12\r\n');
  });

  it('says so where the browser cannot make a file', async () => {
    showFigure();
    HTMLImageElement.prototype.decode = () => Promise.reject(new Error('no picture'));
    await userEvent.click(screen.getByRole('button', { name: 'PNG: MOS & more' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The browser could not create this file.');
    expect(saved).toEqual([]);
  });

  it('says how to read it, and has its table with numbers for people', () => {
    showFigure();
    expect(screen.getByText('How to read this').closest('details')).toHaveTextContent('Further right is better.');
    const cells = screen.getAllByRole('cell', { hidden: true });
    expect(cells.map((cell) => [cell.textContent, cell.className])).toEqual([['TCP+', ''], ['5.12', 'numeric'], ['–', ''], ['12', 'numeric']]);
  });
});

describe('files of figures', () => {
  it('have names that keep stacks apart and that every file system takes', () => {
    expect(fileNameOf(['eyelevel-pilot', 'pairs-DSL · TCP – TCP+'])).toBe('eyelevel-pilot-pairs-dsl-tcp-tcp+');
    expect(prefixOf('pilot', undefined, 'all')).toBe('eyelevel-pilot-all');
  });
});
