/** The provider's page looks like somebody else's on purpose: buyers should notice the change. */
export const PAY_STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif;
  --page: #eef1f6; --card: #fff; --ink: #1b2330; --soft: #55607a; --line: #d5dbe6;
  --main: #1f5fd0; --on-main: #fff; }
@media (prefers-color-scheme: dark) { :root { --page: #10141b; --card: #1a202a; --ink: #eef1f6;
  --soft: #a9b3c6; --line: #333d4d; --main: #8fb4ff; --on-main: #0d1830; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--page); color: var(--ink);
  display: grid; place-items: start center; padding: 6vh 1rem 2rem; }
main { width: 100%; max-width: 30rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 1rem; padding: 1.75rem; box-shadow: 0 1rem 3rem #0002; }
.kind { margin: 0; font-size: .8rem; font-weight: 700; letter-spacing: .08em;
  text-transform: uppercase; color: var(--soft); }
h1 { margin: .25rem 0 0; font-size: 1.4rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 .5rem; font-size: .95rem; color: var(--soft); }
.amount { margin: .5rem 0 1.25rem; font-size: 2.4rem; font-weight: 700; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
li p { margin: .2rem 0 0; font-size: .875rem; color: var(--soft); }
button, .button { display: block; width: 100%; font: inherit; font-weight: 600; cursor: pointer;
  min-height: 2.75rem; padding: .6rem 1rem; border-radius: .6rem; border: 1px solid var(--line);
  background: transparent; color: inherit; text-align: center; text-decoration: none; }
.first button, .button { background: var(--main); border-color: var(--main);
  color: var(--on-main); }
button:hover, .button:hover { filter: brightness(1.06); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
.said { padding: 1rem; border: 1px solid var(--line); border-radius: .6rem; }
a { color: var(--main); }
.note, .back { font-size: .875rem; color: var(--soft); }
.note { margin-bottom: 0; }
`;
