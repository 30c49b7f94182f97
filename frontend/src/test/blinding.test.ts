import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

// A participant's browser must not even load the words for what is being compared.
const telling = /\b(QUIC|TCP|HTTP\/?[23]|DSL|LTE|DA2GC|MSS|BBR|Speed Index|SI|VC85|FVC|LVC|PLT|stacks?|networks?|metrics?|Netze?|Metrik(en)?)\b/;

describe('the words of the participant\'s pages', () => {
  it.each(['participant/en', 'participant/de', 'withdraw/en', 'withdraw/de'])('contain no stack, network or metric (%s)', (name) => {
    const catalog = readFileSync(`src/locales/${name}.po`, 'utf8');
    const words = catalog.split('\n').filter((line) => /^(msgid|msgstr|")/.test(line));
    expect(words.length).toBeGreaterThan(40);
    expect(words.filter((line) => telling.test(line))).toEqual([]);
  });
});
