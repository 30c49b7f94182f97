import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { show } from '../../../test/show';
import { csvOf, fileNameOf } from './exportFigure';
import { Figure } from './Figure';
import { FigureSource, prefixOf } from './source';

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
  URL.createObjectURL = (one) => {
    content = one as Blob;
    return 'blob:1';
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: textOf(content), type: content.type });
  });
  document.head.innerHTML = '<style>.red { fill: rgb(200, 0, 0); stroke-width: 2.5; }</style>';
});

const source = { prefix: prefixOf('pilot', `0123456789abc${'d'.repeat(51)}`, 'person'), words: 'Study pilot, snapshot 0123456789ab.' };
const rows = [{ stack: 'TCP+', mos: 5.123456789, ci_low: null }];

function showFigure() {
  show(
    <FigureSource value={source}>
      <Figure
        label="MOS & more"
        name="mos-DSL 1"
        reading="Further right is better."
        rows={rows}
        table={<table />}
        draw={(width) => ({
          height: 50,
          content: (
            <text className="red" x={width / 2}>
              drawn
            </text>
          ),
          legend: { height: 20, content: <text>legend</text> },
        })}
      />
    </FigureSource>,
    400,
  );
}

async function savedSvg() {
  await userEvent.click(screen.getByRole('button', { name: 'SVG: MOS & more' }));
  await vi.waitFor(() => { expect(saved).toHaveLength(1); });
  const text = (await saved[0]?.text) ?? '';
  return new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
}

describe('a figure', () => {
  it('is saved as SVG with title, description, styles as attributes, and its legend', async () => {
    showFigure();
    const svg = await savedSvg();
    expect(saved[0]).toMatchObject({ name: 'eyelevel-pilot-0123456789ab-mos-dsl-1.svg', type: 'image/svg+xml' });
    expect(svg.querySelector('svg > title')?.textContent).toBe('MOS & more');
    expect(svg.querySelector('svg > desc')?.textContent).toBe('Further right is better. Study pilot, snapshot 0123456789ab.');
    const drawn = [...svg.querySelectorAll('text')].find((one) => one.textContent === 'drawn');
    expect([drawn?.getAttribute('fill'), drawn?.getAttribute('stroke-width'), drawn?.getAttribute('x')]).toEqual(['rgb(200, 0, 0)', '2.5', '200']);
    expect(svg.querySelectorAll('[class], [style]')).toHaveLength(0);
    const legend = [...svg.querySelectorAll('text')].find((one) => one.textContent === 'legend');
    expect(legend?.closest('[display="none"]')).toBeNull();
    // 50 drawn, 20 of legend, 28 of heading, 12 above and below
    expect([svg.getAttribute('width'), svg.getAttribute('height'), svg.getAttribute('viewBox')]).toEqual(['424', '122', '0 0 424 122']);
  });

  it('keeps its classes on the page after it was saved, and its legend hidden', async () => {
    showFigure();
    await savedSvg();
    expect(screen.getByText('drawn')).toHaveClass('red');
    expect(screen.getByText('legend').closest('[display="none"]')).not.toBeNull();
  });

  it('is saved as CSV with the data behind it in full precision', async () => {
    showFigure();
    screen.getByRole('button', { name: 'CSV: MOS & more' }).focus();
    await userEvent.keyboard('{Enter}');
    await vi.waitFor(() => { expect(saved).toHaveLength(1); });
    expect(saved[0]).toMatchObject({ name: 'eyelevel-pilot-0123456789ab-mos-dsl-1.csv', type: 'text/csv' });
    expect(await saved[0]?.text).toBe('stack,mos,ci_low\nTCP+,5.123456789,\n');
  });

  it('says so where the browser cannot make a file', async () => {
    showFigure();
    HTMLImageElement.prototype.decode = () => Promise.reject(new Error('no picture'));
    await userEvent.click(screen.getByRole('button', { name: 'PNG: MOS & more' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The browser could not make this file.');
    expect(saved).toEqual([]);
  });

  it('says how to read it, and has its table', () => {
    showFigure();
    expect(screen.getByText('How to read this').closest('details')).toHaveTextContent('Further right is better.');
    expect(screen.getByText('As a table')).toBeVisible();
  });
});

describe('files of figures', () => {
  it('quote what a CSV file would read otherwise', () => {
    expect(csvOf([{ a: 'x, "y"', 'b"': 'one\ntwo' }])).toBe('a,"b"""\n"x, ""y""","one\ntwo"\n');
    expect(csvOf([])).toBe('\n');
  });

  it('have names that keep stacks apart and that every file system takes', () => {
    expect(fileNameOf(['eyelevel-pilot', 'pairs-DSL · TCP – TCP+'])).toBe('eyelevel-pilot-pairs-dsl-tcp-tcp+');
    expect(prefixOf('pilot', undefined, 'all')).toBe('eyelevel-pilot-all');
  });
});
