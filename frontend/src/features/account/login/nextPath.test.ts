import { expect, it } from 'vitest';

import { nextPath } from './nextPath';

it('accepts only paths of this site', () => {
  expect(nextPath('next=%2Fresearch%2Fstudies%2Fab')).toBe('/research/studies/ab');
  expect(['', 'next=https%3A%2F%2Fevil.example', 'next=%2F%2Fevil.example', 'next=%2F%5Cevil.example', 'next=javascript:0'].map(nextPath)).toEqual(['/', '/', '/', '/', '/']);
});
