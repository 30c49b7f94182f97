import { describe, expect, it } from 'vitest';

import { elementOf } from './drawing';

const svg = (inside: string, more = '') => `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="720" height="90" role="img" ${more}>${inside}</svg>\n`;

describe('the drawing of a figure', () => {
  it('is an element with all marks, names and clips', () => {
    const drawn = elementOf(svg('<title>Scores</title><g transform="translate(0,9)"><circle cx="1" cy="2" r="4.5" data-clip="ab" tabindex="0" role="button" aria-label="garden"/><g data-condition="{}"/></g>'));
    expect(drawn.querySelector('title')?.textContent).toBe('Scores');
    const mark = drawn.querySelector('circle');
    expect(['data-clip', 'tabindex', 'role', 'aria-label', 'cx'].map((name) => mark?.getAttribute(name))).toEqual(['ab', '0', 'button', 'garden', '1']);
    expect(drawn.querySelector('[data-condition]')).not.toBeNull();
    expect([drawn.getAttribute('width'), drawn.getAttribute('role')]).toEqual(['720', 'img']);
  });

  it.each([
    ['a script', '<script>alert(1)</script>', 'script'],
    ['a style sheet', '<style>text { display: none }</style>', 'style'],
    ['HTML', '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>', 'foreignObject'],
    ['a picture', '<image href="https://elsewhere.example/x.png"/>', 'image'],
  ])('leaves out %s', (_what, inside, name) => {
    const drawn = elementOf(svg(`${inside}<text>kept</text>`));
    expect(drawn.querySelector(name)).toBeNull();
    expect(drawn.textContent).toBe('kept');
  });

  it('leaves out what runs, styles or loads something in an attribute', () => {
    const drawn = elementOf(svg('<text onclick="x()" style="fill: red" class="big" href="https://elsewhere.example" fill="#123456">kept</text>', 'onload="x()"'));
    expect(drawn.querySelector('text')?.getAttributeNames()).toEqual(['fill']);
    expect(drawn.hasAttribute('onload')).toBe(false);
  });

  it('is refused where the text is no SVG', () => {
    expect(() => elementOf('<p>no</p>')).toThrow('The figure is no SVG.');
    expect(() => elementOf('<svg')).toThrow('The figure is no SVG.');
  });
});
