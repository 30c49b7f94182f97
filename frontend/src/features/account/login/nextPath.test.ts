import { expect, it } from 'vitest';

import { nextPath } from './nextPath';

it('goes on to a path of this site, and nowhere else', () => {
  expect(nextPath('next=%2Fresearch%2Fstudies%2Fab')).toBe('/research/studies/ab');
  expect(['', 'next=https%3A%2F%2Fevil.example', 'next=%2F%2Fevil.example', 'next=%2F%5Cevil.example', 'next=javascript:0'].map(nextPath)).toEqual(['/', '/', '/', '/', '/']);
});
