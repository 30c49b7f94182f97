"""The style sheet of the report's page."""

CSS = """
:root { color-scheme: light; --ink: #1d2530; --faint: #5a6472; --rule: #dfe3e8; --tint: #f4f6f8; --link: #0b5c94; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff; line-height: 1.55;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif; }
main, header, nav, footer { max-width: 1040px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 36px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 8px; text-wrap: balance; }
h2 { font-size: 23px; margin: 52px 0 10px; padding-top: 14px; border-top: 2px solid var(--ink); }
h3 { font-size: 18px; margin: 30px 0 8px; }
p, ul, dl { max-width: 46em; }
a { color: var(--link); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 14px 0 0; }
.lead { font-size: 18px; color: var(--faint); margin: 0; }
.answers { display: grid; gap: 18px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); }
.answer { border: 1px solid var(--rule); border-radius: 8px; padding: 14px 18px 16px; break-inside: avoid; }
.answer h3 { margin: 0 0 6px; }
.answer dt { font-weight: 600; margin-top: 10px; }
.answer dd { margin: 0; max-width: 46em; }
.claim { display: inline-block; font-weight: 600; font-size: 13px; border-radius: 10px; padding: 0 9px;
  margin-left: 8px;  border: 1px solid currentColor; }
.faster { color: #00604a; } .slower { color: #a03c06; } .open, .nothing { color: var(--faint); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 440px), 1fr)); gap: 22px; }
.figures.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 290px), 1fr)); gap: 16px; }
figure { margin: 18px 0; break-inside: avoid; }
.figures figure { margin: 0; }
figure svg { max-width: 100%; height: auto; display: block; }
figcaption, .note { color: var(--faint); font-size: 14px; max-width: 54em; }
.table { margin: 22px 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; font-size: 15px; padding-bottom: 6px; }
caption span { display: inline-block; position: sticky; left: 0; max-width: calc(100vw - 40px); }
caption a { font-weight: 400; font-size: 13px; margin-left: 8px; }
th, td { padding: 4px 9px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
thead th { border-bottom: 1.5px solid var(--ink); vertical-align: bottom; font-weight: 600; }
tbody th { font-weight: 500; position: sticky; left: 0; background: #fff; }
.figure, tbody th { white-space: nowrap; } .figure { text-align: right; }
thead .figure { white-space: normal; min-width: 4.2em; }
.verdicts { font-size: 18px; padding-left: 1.2em; } .verdicts li { margin: 4px 0; }
.verdicts + div { margin-top: 30px; }
tbody tr:hover { background: var(--tint); }
details { margin: 14px 0; } summary { cursor: pointer; font-weight: 600; padding: 4px 0; }
code { font-size: 13px; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: minmax(120px, max-content) 1fr; gap: 4px 18px; max-width: none; }
.facts dt { font-weight: 600; } .facts dd { margin: 0; overflow-wrap: anywhere; }
footer { margin-top: 60px; padding-bottom: 40px; color: var(--faint); font-size: 14px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 12px; top: 8px; background: #fff; padding: 6px 10px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 560px) {
  h1 { font-size: 25px; }
  tbody th { white-space: normal; min-width: 84px; max-width: 34vw; }
  .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: 8px; }
}
@page { margin: 14mm; }
@media print {
  body { font-size: 10.5pt; } main, header, nav, footer { max-width: none; padding: 0; } nav, .skip { display: none; }
  table { font-size: 8pt; } th, td { padding: 2px 5px; } .scroll { overflow: visible; } h2, h3 { break-after: avoid; }
  .figures { grid-template-columns: 1fr 1fr; } .figures.small { grid-template-columns: 1fr 1fr 1fr; }
  a { color: inherit; text-decoration: none; } tr { break-inside: avoid; }
}
"""
