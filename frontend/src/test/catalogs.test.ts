import { readFileSync } from 'node:fs';

import { formatter } from '@lingui/format-po';
import { describe, expect, it } from 'vitest';

const context = { locale: 'de', sourceLocale: 'en', filename: '' };

// a place for a value, or an element, that a sentence has: {name}, {count, plural, …}, <0>; not one {of its branches}
const places = (message: string) => [...new Set(message.match(/(?<!(?:=\d+|one|other) )\{\w+(?=[,}])|<\/?\d+/g))].sort();

describe('the German catalogs', () => {
  it.each(['participant', 'withdraw', 'staff'])('have the same placeholders as the English messages (%s)', async (name) => {
    const catalog = await formatter().parse(readFileSync(`src/locales/${name}/de.po`, 'utf8'), context);
    const messages = Object.values(catalog);
    expect(messages.length).toBeGreaterThan(20);
    const lost = messages.filter(({ message = '', translation }) => places(message).join() !== places(translation).join());
    expect(lost.map(({ translation }) => translation)).toEqual([]);
  });
});
