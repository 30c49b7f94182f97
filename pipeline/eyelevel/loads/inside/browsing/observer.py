"""The script that observes a page's performance entries before its own scripts run, and the question that reads them.

The observer is part of the page script. It runs only in the page's top document, stores its entries in a closure, and
returns them on the event of the question: it adds no global name, and changes no object of the page. The event is one
of `performance`, because `document.open()` removes all listeners of the window and the document. An observer is needed,
because the browser buffers only the first 150 layout shifts and candidates, and the first 200 long tasks. Tasks that
render without running a script are not long tasks for the browser; long animation frames report them.
"""

# a selector or URL of 200 characters is long enough to find the element by
OBSERVER = """(() => {
  if (globalThis.top !== globalThis || !globalThis.PerformanceObserver) return;
  const kept = { candidates: [], shifts: [], long_tasks: [], renderings: [], first_input: null };
  const selector = (element) => {
    const id = element.getAttribute("id"), names = [...element.classList];
    return [element.localName, ...(id ? [`#${id}`] : []), ...names.map((name) => `.${name}`)].join("");
  };
  const cut = (text) => String(text).slice(0, 200);
  const keep = {
    "largest-contentful-paint": ({ startTime, size, url, element }) => kept.candidates.push({
      start: startTime, size_px: size, url: url ? cut(url) : null, selector: element ? cut(selector(element)) : null,
    }),
    "layout-shift": ({ startTime, value, hadRecentInput }) => {
      if (!hadRecentInput) kept.shifts.push([startTime, value]);
    },
    longtask: ({ startTime, duration }) => kept.long_tasks.push([startTime, duration]),
    "long-animation-frame": ({ startTime, duration, renderStart, paintTime }) => {
      const end = Math.max(startTime + duration, paintTime ?? 0);
      if (renderStart > 0) kept.renderings.push([renderStart, end - renderStart]);
    },
    "first-input": ({ startTime }) => { kept.first_input = startTime; },
  };
  const take = (entries) => { for (const entry of entries) keep[entry.entryType](entry); };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  for (const type of Object.keys(keep)) observer.observe({ type, buffered: true });
  performance.addEventListener("eyelevel:asked", ({ detail }) => {
    take(observer.takeRecords());
    detail.kept = kept;
  });
})();
"""
# all that a document knows of its load, in one answer; what has not come is at 0
QUESTION = """() => {
  const detail = {};
  performance.dispatchEvent(new CustomEvent("eyelevel:asked", { detail }));
  const { loadEventStart, domContentLoadedEventStart, domContentLoadedEventEnd } =
    performance.getEntriesByType("navigation")[0];
  const paint = (name) => performance.getEntriesByName(name)[0]?.startTime ?? 0;
  return {
    origin: performance.timeOrigin, title: document.title, loadEventStart, domContentLoadedEventStart,
    domContentLoadedEventEnd, firstPaint: paint("first-paint"), firstContentfulPaint: paint("first-contentful-paint"),
    kept: detail.kept ?? null,
  };
}"""
# of a document that has just been committed: its zero, and when its first byte came
COMMITTED = """() => [performance.timeOrigin, performance.getEntriesByType("navigation")[0].responseStart]"""
