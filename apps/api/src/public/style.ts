import { createHash } from 'node:crypto';
import type { Look } from './look.ts';

/**
 * The look of the public pages: one column that fits a phone, light or dark by the system setting. The colours of a brand come after it
 * (`look.ts`), which knows what they stand on.
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #f8f7f4; --surface: #fff; --line: #e6e4de; --control: #8d8980; --hover: #f1f0ec;
  --ink: #1c1b19; --soft: #55524c; --link: #28489c; --focus: #3a63cf; --accent: #1c1b19; --on-accent: #fff; --shade: #0000002e;
  --good: #0e6650; --good-tint: #e3f2ec; --warn: #7d5200; --warn-tint: #faf0d9; --bad: #a3281d; --bad-tint: #fbe9e6; --calm-tint: #efeeea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131312; --surface: #1a1a18; --line: #2b2a28; --control: #77746c; --hover: #232321;
    --ink: #edebe6; --soft: #b3b0a8; --link: #a5bbf2; --focus: #88a6f5; --accent: #edebe6; --on-accent: #171716; --shade: #ffffff2e;
    --good: #6fcdb3; --good-tint: #12302a; --warn: #e6bb66; --warn-tint: #34280f; --bad: #f2a097; --bad-tint: #3a1a16; --calm-tint: #282725;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: clamp(1.25rem, 7vh, 4.5rem) 1rem 2rem;
  background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
}
header, main, footer { width: min(30rem, 100%); margin: 0 auto; }
header { padding: 0 0.25rem 1.1rem; font-size: 1.0625rem; font-weight: 650; line-height: 1.35; overflow-wrap: anywhere; }
header img { display: block; width: auto; max-width: 100%; height: 2.75rem; object-fit: contain; object-position: left; }
main { padding: clamp(1.25rem, 5vw, 2rem); background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
footer { padding: 1.1rem 0.25rem 0; color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere; }
footer bdi { color: inherit; font-weight: inherit; }
footer a { display: inline-flex; min-height: 2.75rem; align-items: center; }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; overflow-wrap: anywhere; text-wrap: balance; }
h2, legend { margin: 0; padding: 0; font-size: 1rem; font-weight: 650; line-height: 1.4; }
p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
p + p { margin-top: 0.6rem; }
footer p + p { margin-top: 0.15rem; }
bdi { color: var(--ink); font-weight: 600; }
h1 bdi, legend bdi, .state bdi, header bdi { color: inherit; font: inherit; }
.state { margin: 1rem 0 0; padding: 0.65rem 0.85rem; border-radius: 8px; background: var(--calm-tint); color: var(--ink); }
.state.good { background: var(--good-tint); color: var(--good); }
.state.warn { background: var(--warn-tint); color: var(--warn); }
.state.bad { background: var(--bad-tint); color: var(--bad); }
.state bdi, .state time { color: inherit; font-weight: 600; }
form { margin: 1.25rem 0 0; }
form + form { margin-top: 0.6rem; }
h2 + p, legend + p { margin-top: 0.15rem; }
section { margin: 1.5rem 0 0; padding: 1.5rem 0 0; border-top: 1px solid var(--line); }
section form { margin-top: 0; }
h2 + form { margin-top: 0.85rem; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
.choices button { height: 100%; padding-inline: 0.4rem; overflow-wrap: break-word; }
.choices { display: grid; grid-template-columns: repeat(2, 1fr); gap: 0.6rem; margin-top: 0.85rem; }
.checks { margin: 0.5rem 0 1.25rem; }
.checks label { display: flex; gap: 0.75rem; min-height: 2.75rem; padding: 0.65rem 0; cursor: pointer; }
.checks label + label { border-top: 1px solid var(--line); }
.checks span { overflow-wrap: anywhere; min-width: 0; }
.checks small { display: block; color: var(--soft); font-size: 0.9375rem; }
input[type="checkbox"] { flex: none; width: 1.25rem; height: 1.25rem; margin: 0.15rem 0 0; accent-color: var(--accent); }
.field { margin: 1.1rem 0 0; }
.field + button { margin-top: 1.1rem; }
.field:not(.checks) > label { display: block; font-weight: 600; }
.field > label small { color: var(--soft); font-size: 0.875rem; font-weight: 400; }
.field :is(input:not([type="checkbox"]), select) {
  width: 100%; min-height: 2.9rem; margin-top: 0.3rem; padding: 0.5rem 0.75rem; border: 1px solid var(--control); border-radius: 8px;
  background: transparent; color: var(--ink); font: inherit;
}
.field select { background: var(--surface); }
.field :is(input, select)[aria-invalid="true"] { border-color: var(--bad); }
.mistake { margin-top: 0.3rem; color: var(--bad); font-size: 0.9375rem; }
.wording { margin: 1.25rem 0; font-size: 0.9375rem; }
.wording, .prose { white-space: pre-line; }
h2 + .wording { margin-bottom: 0; }
fieldset.field > legend { font-weight: 600; }
.field.checks { margin: 0.6rem 0 0; }
ul { margin: 0.35rem 0 0; padding: 0 0 0 1.2rem; overflow-wrap: anywhere; }
.unseen { position: absolute; left: -200vw; width: 1px; height: 1px; overflow: hidden; }
button {
  width: 100%; min-height: 2.9rem; padding: 0.5rem 1rem; border: 1px solid var(--control); border-radius: 8px; overflow-wrap: anywhere;
  background: transparent; color: var(--ink); font: inherit; font-weight: 560; line-height: 1.3; cursor: pointer;
}
button:hover { background: var(--hover); }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button.main:hover { box-shadow: inset 0 0 0 100vmax var(--shade); }
a { color: var(--link); text-underline-offset: 0.15em; }
.more { margin-top: 1rem; }
.more a { display: inline-flex; min-height: 2.75rem; align-items: center; }
:is(a, button, input, select):focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
@media (forced-colors: active) { .state { border: 1px solid; } }
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const styleHash = hashOf(style);

/** What a page is allowed beside what all are. */
export interface Leave {
  /** origins whose pages may show it in a frame */
  ancestors?: readonly string[];
  /** where its forms lead, besides this server */
  leadsTo?: string | null;
}

/** No script runs, and nothing is loaded but the logo; styles are allowed by their hashes, and forms only post to this server. */
export const policyOf = (
  look: Pick<Look, 'logoUrl' | 'colors'> | null,
  { ancestors = [], leadsTo = null }: Leave = {},
): string =>
  [
    "default-src 'none'",
    `style-src ${[styleHash, ...(look && look.colors !== '' ? [hashOf(look.colors)] : [])].join(' ')}`,
    ...(look && look.logoUrl !== null ? [`img-src ${look.logoUrl}`] : []),
    // Browsers ask for the target of a redirect as well.
    `form-action 'self'${leadsTo === null ? '' : ` ${new URL(leadsTo).origin}`}`,
    "base-uri 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');
