"""Style: how a page looks, by light and in the dark, on a narrow and on a wide screen."""

from typing import Final

STYLE: Final = """
:root {
  --paper: #ffffff; --ink: #1c2024; --faint: #5b6470; --line: #d5dae0; --head: #f3f5f7;
  --good: #0b6b34; --good-paper: #e6f6ec; --bad: #a3242b; --link: #0b57b0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16191d; --ink: #e8eaed; --faint: #a4adb8; --line: #3a4149; --head: #21262c;
    --good: #7fd79f; --good-paper: #153222; --bad: #ff9a9a; --link: #8ab8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 110rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
a { color: var(--link); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
p, li, dd { overflow-wrap: anywhere; }
code { font: 0.9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; margin: 0.75rem 0; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: 0.5rem 0.6rem; font-weight: 600; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem; border-top: 1px solid var(--line); }
thead th { background: var(--head); white-space: nowrap; }
td { min-width: 8rem; }
td:empty { min-width: 0; }
tbody th { font-weight: 600; white-space: nowrap; }
tbody th code { overflow-wrap: normal; }
del { color: var(--faint); }
.place, .state { display: block; font-size: 0.85rem; color: var(--faint); }
.holds { background: var(--good-paper); border-radius: 4px; padding: 0.1rem 0.4rem; }
.holds .state { color: var(--good); font-weight: 600; }
.problem { color: var(--bad); }
.layer + .layer { margin-top: 0.5rem; }
td ul { margin: 0.25rem 0 0; padding-left: 1.1rem; }
summary { cursor: pointer; white-space: nowrap; color: var(--link); }
dl { margin: 0.4rem 0 0; min-width: 16rem; }
dt { font-weight: 600; }
dd { margin: 0 0 0.4rem 1rem; }
@media print { .scroll { overflow: visible; border: 0; } nav { display: none; } }
"""
