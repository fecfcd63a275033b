// What the pages gain with a script: copying, a choice of language that lasts, the menu of small screens, the search.

type Entry = [href: string, title: string, heading: string, text: string, kind: string];

const all = <Found extends Element>(selector: string, kind: new () => Found): Found[] =>
  [...document.querySelectorAll(selector)].filter((each): each is Found => each instanceof kind);
const one = <Found extends Element>(selector: string, kind: new () => Found): Found | null =>
  all(selector, kind)[0] ?? null;

function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`postrider.${name}`);
  } catch {
    return null;
  }
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`postrider.${name}`, value);
  } catch {
    // Storage is disabled; the choice lasts until the page is closed.
  }
}

/** Samples are written for a local installation: here they are for the one that serves this page. */
function nameThisServer(): void {
  const local = 'http://localhost:3000';
  if (location.origin === local) return;
  for (const block of all('pre', HTMLElement)) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      if (node.nodeValue?.includes(local)) node.nodeValue = node.nodeValue.replaceAll(local, location.origin);
  }
}

function addCopyButtons(): void {
  const icon =
    '<svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4"><rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2"/></svg>';
  const done =
    '<svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6"><path d="m3 8.5 3.2 3.2L13 5"/></svg>';
  for (const block of all('.code', HTMLElement)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.innerHTML = icon;
    button.setAttribute('aria-label', 'Copy');
    button.addEventListener('click', async () => {
      const shown = [...block.querySelectorAll('pre')].find((pre) => pre.offsetParent !== null);
      await navigator.clipboard.writeText(shown?.textContent ?? '');
      button.innerHTML = done;
      button.classList.add('done');
      button.setAttribute('aria-label', 'Copied');
      setTimeout(() => {
        button.innerHTML = icon;
        button.classList.remove('done');
        button.setAttribute('aria-label', 'Copy');
      }, 1500);
    });
    block.append(button);
  }
}

/** One choice of language for all samples, on every page. */
function shareLanguage(): void {
  const choose = (language: string): void => {
    for (const input of all('.tabs input', HTMLInputElement))
      if (input.value === language) input.checked = true;
  };
  const before = remembered('docs.language');
  if (before) choose(before);
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.tabs')) return;
    const top = target.getBoundingClientRect().top;
    choose(target.value);
    remember('docs.language', target.value);
    // Samples above may have grown or shrunk; what the reader looks at stays where it is.
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
  });
}

function switchTheme(): void {
  const button = one('.theme', HTMLButtonElement);
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const root = document.documentElement;
    const isDark = root.dataset['theme']
      ? root.dataset['theme'] === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    const theme = isDark ? 'light' : 'dark';
    root.dataset['theme'] = theme;
    remember('theme', theme);
  });
}

function openMenu(): void {
  const button = one('.menu', HTMLButtonElement);
  const side = one('#pages', HTMLElement);
  if (!button || !side) return;
  const narrow = matchMedia('(max-width: 56rem)');
  const set = (open: boolean): void => {
    side.classList.toggle('open', open);
    button.setAttribute('aria-expanded', String(open));
  };
  const adapt = (): void => {
    button.hidden = !narrow.matches;
    set(false);
  };
  adapt();
  narrow.addEventListener('change', adapt);
  button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    set(false);
    button.focus();
  });
  const current = one('.side [aria-current="page"]', HTMLElement);
  // Only the list is scrolled: the page stays at its beginning.
  if (current) side.scrollTop = current.offsetTop - side.clientHeight / 2;
}

/** Marks the heading that is being read in the contents. */
function followReading(): void {
  const links = all('.contents a', HTMLAnchorElement);
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (links.length === 0) return;
  const mark = (): void => {
    let current = 0;
    headings.forEach((heading, index) => {
      if (heading && heading.getBoundingClientRect().top < 140) current = index;
    });
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4;
    if (isAtEnd && scrollY > 0) current = links.length - 1;
    links.forEach((link, index) => {
      if (index === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  };
  mark();
  addEventListener('scroll', mark, { passive: true });
}

/** A link to a field inside closed details opens them. */
function revealTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  let inside = false;
  for (
    let around = target.closest('details');
    around;
    around = around.parentElement?.closest('details') ?? null
  ) {
    inside ||= !around.open;
    around.open = true;
  }
  if (inside) target.scrollIntoView();
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Every word of the question has to begin a word of the entry; titles count more than headings, and these more than texts. */
function score(entry: Entry, asked: readonly string[], phrase: string): number {
  const [, title, heading, text] = entry;
  const weights: [string[], number][] = [
    // A heading is found by its own words before those of its page.
    [wordsOf(title), heading === '' ? 12 : 5],
    [wordsOf(heading), 8],
    [wordsOf(text), 1],
  ];
  let total = 0;
  for (const word of asked) {
    let best = 0;
    for (const [words, weight] of weights) {
      if (words.includes(word)) best = Math.max(best, weight * 1.5);
      else if (words.some((each) => each.startsWith(word))) best = Math.max(best, weight);
    }
    if (best === 0) return 0;
    total += best;
  }
  const name = title.toLowerCase();
  if (name === phrase || heading.toLowerCase() === phrase) total += 30;
  else if (name.startsWith(phrase)) total += 10;
  if (text.toLowerCase().includes(phrase)) total += 2;
  return entry[4] === 'Guide' ? total * 1.15 : total;
}

const shownResults = 20;
const shownPerPage = 3;

function addSearch(): void {
  const button = one('.search', HTMLButtonElement);
  if (!button) return;
  button.hidden = false;
  let entries: Promise<Entry[]> | undefined;
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', 'Search');
  dialog.innerHTML =
    '<input type="search" role="combobox" aria-expanded="true" aria-controls="results" aria-autocomplete="list" aria-label="Search the documentation" placeholder="Search guides, operations, errors …" autocomplete="off" spellcheck="false"><ul id="results" class="results" role="listbox" aria-label="Results"></ul><p class="no-results" role="status"></p>';
  document.body.append(dialog);
  const input = dialog.querySelector('input');
  const list = dialog.querySelector('ul');
  const empty = dialog.querySelector('p');
  if (!input || !list || !empty) return;
  let selected = 0;

  const select = (index: number): void => {
    const items = [...list.querySelectorAll('li')];
    selected = Math.max(0, Math.min(index, items.length - 1));
    items.forEach((item, position) => {
      item.setAttribute('aria-selected', String(position === selected));
    });
    const chosen = items[selected];
    chosen?.scrollIntoView({ block: 'nearest' });
    if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const show = async (): Promise<void> => {
    entries ??= fetch('/docs/search.json').then((response) => response.json() as Promise<Entry[]>);
    const known = await entries;
    const phrase = input.value.trim().toLowerCase();
    const asked = wordsOf(phrase);
    const found =
      asked.length === 0 ? [] : known.map((entry): [number, Entry] => [score(entry, asked, phrase), entry]);
    const perPage = new Map<string, number>();
    const best = found
      .filter(([points]) => points > 0)
      .sort(([a], [b]) => b - a)
      .filter(([, [href]]) => {
        const [page = href] = href.split('#');
        const before = perPage.get(page) ?? 0;
        perPage.set(page, before + 1);
        return before < shownPerPage;
      })
      .slice(0, shownResults);
    list.replaceChildren(...best.map(([, entry], index) => itemOf(entry, index, asked)));
    empty.textContent =
      best.length > 0 ? '' : asked.length === 0 ? 'Type what you look for.' : 'Nothing was found.';
    empty.hidden = best.length > 0;
    select(0);
  };
  const open = (): void => {
    dialog.showModal();
    input.select();
    void show();
  };
  button.addEventListener('click', open);
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      select(selected + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') list.querySelectorAll('li')[selected]?.click();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener('keydown', (event) => {
    const inField = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    const isShortcut =
      (event.key === '/' && !inField) || (event.key === 'k' && (event.metaKey || event.ctrlKey));
    if (!isShortcut || event.altKey || dialog.open) return;
    event.preventDefault();
    open();
  });
}

function itemOf(
  [href, title, heading, text, kind]: Entry,
  index: number,
  asked: readonly string[],
): HTMLLIElement {
  const item = document.createElement('li');
  item.id = `result-${index}`;
  item.setAttribute('role', 'option');
  const label = document.createElement('span');
  label.className = 'kind';
  label.textContent = kind;
  const name = document.createElement('b');
  name.textContent = heading ? `${title} › ${heading}` : title;
  const words = document.createElement('small');
  const at = Math.max(0, ...asked.map((word) => text.toLowerCase().indexOf(word)));
  words.textContent = at > 60 ? `… ${text.slice(text.indexOf(' ', at - 40) + 1)}` : text;
  item.append(label, name, words);
  item.addEventListener('click', () => {
    item.closest('dialog')?.close();
    location.assign(href);
  });
  return item;
}

nameThisServer();
addCopyButtons();
shareLanguage();
switchTheme();
openMenu();
followReading();
revealTarget();
addEventListener('hashchange', revealTarget);
addSearch();
