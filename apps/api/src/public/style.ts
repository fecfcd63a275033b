import { createHash } from 'node:crypto';

/** The look of the public pages: one column that fits a phone, in the colours of the dashboard, light or dark by the system setting. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #f8f7f4; --surface: #fff; --line: #e6e4de; --control: #8d8980; --hover: #f1f0ec;
  --ink: #1c1b19; --soft: #55524c; --inverse: #fff; --link: #28489c; --focus: #3a63cf;
  --good: #0e6650; --good-tint: #e3f2ec; --warn: #7d5200; --warn-tint: #faf0d9; --calm-tint: #efeeea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131312; --surface: #1a1a18; --line: #2b2a28; --control: #77746c; --hover: #232321;
    --ink: #edebe6; --soft: #b3b0a8; --inverse: #171716; --link: #a5bbf2; --focus: #88a6f5;
    --good: #6fcdb3; --good-tint: #12302a; --warn: #e6bb66; --warn-tint: #34280f; --calm-tint: #282725;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: clamp(1.5rem, 9vh, 6rem) 1rem 2rem;
  background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
}
main, footer { width: min(30rem, 100%); margin: 0 auto; }
main { padding: clamp(1.25rem, 5vw, 2rem); background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
footer { padding: 1rem 0.25rem; color: var(--soft); font-size: 0.875rem; text-align: center; overflow-wrap: anywhere; }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 0; font-size: 1rem; line-height: 1.4; }
p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
bdi { display: inline-block; max-width: 100%; color: var(--ink); font-weight: 600; }
h1 bdi { display: inline; font: inherit; }
.state { margin: 1rem 0 0; padding: 0.65rem 0.85rem; border-radius: 8px; background: var(--calm-tint); color: var(--ink); }
.state.good { background: var(--good-tint); color: var(--good); }
.state.warn { background: var(--warn-tint); color: var(--warn); }
.state bdi, .state time { color: inherit; font-weight: 600; }
form { margin: 1.25rem 0 0; }
form + form { margin-top: 0.6rem; }
h2 + p { margin-top: 0.15rem; }
section { margin: 1.5rem 0 0; padding: 1.5rem 0 0; border-top: 1px solid var(--line); }
section form { margin-top: 0.85rem; }
.choices { display: grid; grid-template-columns: repeat(2, 1fr); gap: 0.6rem; margin: 0; padding: 0; border: 0; min-width: 0; }
button {
  width: 100%; min-height: 2.9rem; padding: 0.5rem 1rem; border: 1px solid var(--control); border-radius: 8px;
  background: transparent; color: var(--ink); font: inherit; font-weight: 560; line-height: 1.3; cursor: pointer;
}
button:hover { background: var(--hover); }
button.main { border-color: var(--ink); background: var(--ink); color: var(--inverse); }
button.main:hover { background: var(--soft); border-color: var(--soft); }
button:disabled { border-style: dashed; border-color: var(--line); background: transparent; color: var(--soft); cursor: default; }
a { color: var(--link); text-underline-offset: 0.15em; }
.more { margin-top: 1.5rem; }
a:focus-visible, button:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
@media (forced-colors: active) { .state { border: 1px solid; } }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing is loaded and no script runs; the only style is allowed by its hash, and forms only post to this server. */
export const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
