import { describe, expect, it } from 'vitest';

import { since, SpanLog, spansAtMost, union, without } from './spans';

const span = (from: number, to: number) => ({ at_ms: from, ms: to - from });

describe('spans', () => {
  it('are recorded once, and end now if they are open', () => {
    const log = new SpanLog();
    log.end(5);
    log.begin(10);
    log.begin(12);
    log.end(20);
    log.begin(30);
    expect(log.until(34)).toEqual([span(10, 20), span(30, 34)]);
  });

  it('count from the play, and are clipped to it', () => {
    expect(since(100, 200, [span(50, 90), span(90, 110), span(150, 150), span(190, 250), span(260, 270)])).toEqual([span(0, 10), span(50, 50), span(90, 100)]);
  });

  it('have a maximum number', () => {
    expect(since(0, 1e6, Array.from({ length: 500 }, (_, index) => span(index * 10, index * 10 + 1)))).toHaveLength(spansAtMost);
  });

  it('are merged if they touch', () => {
    expect(union([span(50, 60), span(0, 10), span(5, 20), span(20, 30)])).toEqual([span(0, 30), span(50, 60)]);
  });

  it('are cut by others', () => {
    expect(without([span(0, 100)], [span(20, 30), span(25, 40), span(90, 200)])).toEqual([span(0, 20), span(40, 90)]);
    expect(without([span(0, 10)], [span(0, 10)])).toEqual([]);
    expect(without([span(0, 10)], [])).toEqual([span(0, 10)]);
  });
});
