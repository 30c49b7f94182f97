"""The script that pins a page's random numbers and date, in recordings and captures alike.

The browser driver injects it before the page's scripts. The served bytes stay as recorded. The script is equal for all
stacks, networks and runs of a recording, so a page that shuffles or requests numbered URLs requests the same ones in
both arms, and the recorded ones if the recording was made with the same script.

`Math.random` becomes a seeded generator (mulberry32), and so do the random values of `crypto`, which advertisers use
for their experiments. Each place in a page's code that draws has its own generator, seeded by document, script, line
and column; with one generator for all, racing scripts would take each other's draws. After the first MANY draws in a
document, the last place's generator serves all, because locating the place takes microseconds. A page over http is
seeded like the same page over https, because it is recorded over one and replayed over the other. A date of the current
load (10 or 13 digits) in the URL of a document or script counts as equal in each load.

`Date` starts at a fixed time at each document's time origin, and continues, because pages use it for time limits and
animations. `performance` is not changed, because page loads are measured with it. The browser's cookies expire by the
real date, so the expiry of a cookie of `document.cookie` is moved by the difference between the dates. A cookie that
has expired by the page's date is a deletion, and remains one.
"""

MANY = 2_000
# seeds are whole numbers below this one
SEEDS = 2**31
TEMPLATE = """(() => {
  const hash = (text, start) => {
    let mixed = start;
    for (const letter of text) mixed = (Math.imul(mixed, 31) + letter.codePointAt(0)) | 0;
    return mixed;
  };
  const draws = (state) => () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const dateless = (digits) => {
    const since = (digits.length === 13 ? Number(digits) : digits * 1000) - %(start_ms)d;
    return (digits.length === 10 || digits.length === 13) && since > -1000 && since < 3600000 ? "date" : digits;
  };
  const placeOf = (text) => text.replace(/\\bhttp:/g, "https:").replace(/\\d{10,}/g, dateless);
  const start = hash(placeOf(String(globalThis.location?.href)), %(seed)d);
  const RealError = Error, capture = Error.captureStackTrace, streams = new Map();
  let left = %(many)d, last = draws(start);
  const callerOf = (ours) => {
    const { stackTraceLimit, prepareStackTrace } = RealError, holder = {};
    RealError.stackTraceLimit = 1;
    RealError.prepareStackTrace = undefined;
    capture(holder, ours);
    const place = placeOf(String(holder.stack)).replace(/blob:[^\\s)]*/g, "blob:");
    RealError.prepareStackTrace = prepareStackTrace;
    RealError.stackTraceLimit = stackTraceLimit;
    return place;
  };
  const streamOf = (ours) => {
    if (left <= 0) return last;
    left -= 1;
    const place = `${ours.name} ${callerOf(ours)}`;
    if (!streams.has(place)) streams.set(place, draws(hash(place, start)));
    return (last = streams.get(place));
  };
  Math.random = function random() { return streamOf(random)() / 4294967296; };
  if (globalThis.Crypto) {
    const fill = (bytes, draw) => {
      for (let i = 0; i < bytes.length; i += 1) bytes[i] = draw() >>> 24;
      return bytes;
    };
    Crypto.prototype.getRandomValues = function getRandomValues(array) {
      fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), streamOf(getRandomValues));
      return array;
    };
    Crypto.prototype.randomUUID = function randomUUID() {
      const bytes = [...fill(new Uint8Array(16), streamOf(randomUUID))];
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      const letters = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
      for (const after of [10, 8, 6, 4]) letters.splice(after, 0, "-");
      return letters.join("");
    };
  }
  const RealDate = Date, realNow = Date.now, clock = performance.now.bind(performance);
  const now = () => Math.floor(%(start_ms)d + clock());
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length ? given : [now()], newTarget),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.prototype.constructor = globalThis.Date;
  if (globalThis.Document) {
    const real = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
    const moved = (whole, name, date) => {
      const expires = RealDate.parse(date);
      return expires > now() ? name + new RealDate(expires + realNow() - now()).toUTCString() : whole;
    };
    Object.defineProperty(Document.prototype, "cookie", {
      ...real,
      set(value) { real.set.call(this, String(value).replace(/(;\\s*expires\\s*=)([^;]*)/gi, moved)); },
    });
  }
})();
"""


def pinning_script(*, seed: int, start_ms: int) -> str:
    """Returns the script; `seed` is reduced to 31 bits, `start_ms` is the date at the time origin, since 1970."""
    return TEMPLATE % {"seed": seed % SEEDS, "start_ms": start_ms, "many": MANY}
