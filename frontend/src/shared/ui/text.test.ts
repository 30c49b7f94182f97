import { expect, it } from 'vitest';

import { paragraphsOf } from './text';

it('splits paragraphs at blank lines, and at line ends only without blank lines', () => {
  expect(paragraphsOf('one\nmore of it\n\n  \ntwo\n')).toEqual(['one\nmore of it', 'two']);
  expect(paragraphsOf('one\ntwo')).toEqual(['one', 'two']);
});
