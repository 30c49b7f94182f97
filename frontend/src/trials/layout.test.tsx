import { expect, it } from 'vitest';

import { layoutOf } from './layout';

function form(...at: { left: number; top: number }[]): HTMLElement {
  const element = document.createElement('form');
  for (const { left, top } of at) {
    const choice = document.createElement('label');
    choice.className = 'choice';
    choice.getBoundingClientRect = () => new DOMRect(left, top, 100, 40);
    element.append(choice);
  }
  return element;
}

it('distinguishes row and column by the positions of answers; a form without choices, such as a slider, is a row', () => {
  expect(layoutOf(form({ left: 0, top: 500 }, { left: 110, top: 500 }))).toBe('row');
  expect(layoutOf(form({ left: 0, top: 500 }, { left: 0, top: 545 }))).toBe('column');
  expect(layoutOf(form())).toBe('row');
});
