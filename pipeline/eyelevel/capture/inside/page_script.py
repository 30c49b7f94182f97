"""The script that pins chance and the date of a page, injected by the browser's driver before any of the page's own.

The served bytes stay as recorded. The script is the same for every stack, network and run of a recording, so that a
page that shuffles or asks for numbered URLs asks for the same ones in both arms. `Math.random` becomes a seeded
generator (mulberry32), different per document URL so that two frames don't draw the same "unique" ids; so do the random
values of `crypto`, by which advertisers draw their experiments. `Date` starts at a fixed moment at each document's time
origin, and flows on. `performance` is left alone: page loads are measured by it.
"""

TEMPLATE = """(() => {
  let start = %(seed)d;
  for (const letter of String(globalThis.location?.href)) start = (Math.imul(start, 31) + letter.charCodeAt(0)) | 0;
  const draws = (state) => () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const draw = draws(start), drawByte = draws(~start);
  Math.random = function random() { return draw() / 4294967296; };
  if (globalThis.Crypto) {
    Crypto.prototype.getRandomValues = function getRandomValues(array) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i += 1) bytes[i] = drawByte() >>> 24;
      return array;
    };
    Crypto.prototype.randomUUID = function randomUUID() {
      const bytes = [...this.getRandomValues(new Uint8Array(16))];
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      const letters = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
      for (const after of [10, 8, 6, 4]) letters.splice(after, 0, "-");
      return letters.join("");
    };
  }
  const RealDate = Date, clock = performance.now.bind(performance);
  const now = () => Math.floor(%(start_ms)d + clock());
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length ? given : [now()], newTarget),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.prototype.constructor = globalThis.Date;
})();
"""


def page_script(*, seed: int, start_ms: int) -> str:
    """`seed` is reduced to 32 bits; `start_ms` is the page's date at its time origin, in milliseconds since 1970."""
    return TEMPLATE % {"seed": seed % 2**31, "start_ms": start_ms}
