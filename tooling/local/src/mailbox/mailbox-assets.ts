/** The page's style sheet: one column, system fonts, light and dark by the system setting. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f8f7f4, #131312); --card: light-dark(#fff, #1a1a18); --line: light-dark(#e6e4de, #383633);
  --text: light-dark(#1c1b19, #edebe6); --soft: light-dark(#55524c, #b3b0a8); --accent: light-dark(#28489c, #a5bbf2);
  --tint: light-dark(#f1f0ec, #232321); --control: light-dark(#8d8980, #7f7c74);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
header { background: var(--card); border-bottom: 1px solid var(--line); }
header > div, main { max-width: 64rem; margin: 0 auto; padding: 1rem; }
header > div { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; }
header .name { font-size: 1.15rem; font-weight: 650; margin: 0; }
header .name a { color: inherit; text-decoration: none; }
form.search { display: flex; gap: .5rem; flex: 1 1 16rem; }
input[type=search] { flex: 1; min-width: 0; font: inherit; padding: .45rem .7rem; border: 1px solid var(--control); border-radius: .5rem; background: var(--card); color: inherit; }
button, .button { font: inherit; padding: .45rem .9rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit; cursor: pointer; text-decoration: none; display: inline-block; }
button:hover, .button:hover { background: var(--tint); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; overflow: hidden; }
.bar { display: flex; justify-content: space-between; align-items: center; gap: 1rem; min-height: 2.5rem; margin: 0 0 .5rem; color: var(--soft); }
ul.mails { list-style: none; margin: 0; padding: 0; }
ul.mails li + li { border-top: 1px solid var(--line); }
ul.mails a { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) auto; gap: 0 1rem; padding: .65rem 1rem; color: inherit; text-decoration: none; }
ul.mails a:hover { background: var(--tint); }
ul.mails time, ul.mails .size { font-variant-numeric: tabular-nums; }
ul.mails span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
ul.mails .subject { font-weight: 600; }
ul.mails .from, ul.mails time { color: var(--soft); }
ul.mails .from { grid-column: 2; grid-row: 2; }
ul.mails .size { color: var(--soft); grid-column: 3; grid-row: 2; text-align: right; }
.empty { padding: 3rem 1rem; text-align: center; color: var(--soft); }
.pages { display: flex; justify-content: space-between; margin-top: 1rem; }
h1 { font-size: 1.35rem; line-height: 1.3; margin: .75rem 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .15rem 1rem; margin: 0 0 1rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
nav.views { display: flex; flex-wrap: wrap; gap: .25rem; border-bottom: 1px solid var(--line); padding: .5rem .5rem 0; }
nav.views a { padding: .45rem .9rem; border-radius: .5rem .5rem 0 0; text-decoration: none; color: var(--soft); }
nav.views a[aria-current] { color: var(--text); font-weight: 600; background: var(--tint); }
iframe { display: block; width: 100%; height: 70vh; border: 0; background: #fff; color-scheme: light; }
pre { margin: 0; padding: 1rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, monospace; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .4rem 1rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th { width: 12rem; color: var(--soft); font-weight: 500; }
ul.files { margin: 0; padding: 1rem 1rem 1rem 2.25rem; }
@media (max-width: 40rem) {
  ul.mails a { grid-template-columns: minmax(0, 1fr) auto; }
  ul.mails .to, ul.mails .subject { grid-column: 1 / -1; }
  ul.mails .from { grid-column: 1 / -1; grid-row: 3; }
  ul.mails time, ul.mails .size { grid-row: 4; }
  ul.mails time { grid-column: 1; } ul.mails .size { grid-column: 2; }
  dl { grid-template-columns: minmax(0, 1fr); } dd + dt { margin-top: .35rem; }
  nav.views a { padding-inline: .55rem; }
  th { width: 7rem; }
}
`;

/** Polls every two seconds for newer email, and then replaces the list with the one of the reloaded page. */
export const SCRIPT = `
const list = document.querySelector('#list');
const status = document.querySelector('#status');
const first = () => list.querySelector('[data-id]')?.dataset.id ?? '';
async function refresh() {
  if (document.hidden) return;
  try {
    const page = await fetch(location.href, { headers: { accept: 'text/html' } });
    const fresh = new DOMParser().parseFromString(await page.text(), 'text/html');
    const newest = fresh.querySelector('#list [data-id]')?.dataset.id ?? '';
    const count = fresh.querySelector('#count').textContent;
    if (newest === first() && count === document.querySelector('#count').textContent) return;
    const focused = document.activeElement?.closest('[data-id]')?.dataset.id;
    list.replaceChildren(...fresh.querySelector('#list').childNodes);
    document.querySelector('#count').textContent = count;
    if (focused) list.querySelector('[data-id="' + focused + '"] a')?.focus();
    status.textContent = 'The list was refreshed: ' + count;
  } catch {
    status.textContent = 'The mailbox does not answer.';
  }
}
if (!new URL(location.href).searchParams.has('before')) setInterval(refresh, 2000);
document.querySelector('#clear')?.addEventListener('click', async () => {
  if (!confirm('Delete all messages?')) return;
  await fetch('/api/messages', { method: 'DELETE' });
  location.href = '/';
});
`;
