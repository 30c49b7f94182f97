import { describe, expect, it } from 'vitest';

import { csvOf } from './csv';

describe('a table as CSV', () => {
  it('quotes what would be read otherwise, and has its header without rows', () => {
    expect(csvOf({ columns: [{ name: 'a' }, { name: 'b"' }], rows: [['x, "y"', 'one\ntwo']] })).toBe('a,"b"""\r\n"x, ""y""","one\ntwo"\r\n');
    expect(csvOf({ columns: [{ name: 'a' }], rows: [] })).toBe('a\r\n');
  });

  it('keeps every digit, leaves unknown values empty, and starts no formula', () => {
    expect(csvOf({ columns: [{ name: 'a' }, { name: 'b' }, { name: 'c' }], rows: [[-0.123456789012, null, '-5'], [1, '=A1', 'TCP+']] })).toBe("a,b,c\r\n-0.123456789012,,'-5\r\n1,'=A1,TCP+\r\n");
  });
});
