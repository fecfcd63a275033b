import { escapeHtml } from '../html/escape.ts';
import type { Heading } from '../html/markdown.ts';
import { type Area, areas, hrefOf, type Page, textHrefOf } from './page.ts';

/** Addresses of the files that every page loads. */
export interface Assets {
  style: string;
  theme: string;
  site: string;
  font: string;
}

export interface Site {
  assets: Assets;
  /** all pages, in the order of the navigation */
  pages: readonly Page[];
  /** titles of the groups of operations by their names */
  groups: ReadonlyMap<string, string>;
}

const areaTitles: Readonly<Record<Area, [href: string, title: string]>> = {
  guides: ['/docs', 'Guides'],
  api: ['/docs/api', 'API'],
  webhooks: ['/docs/webhooks', 'Webhooks'],
  errors: ['/docs/errors', 'Errors'],
};

/** A page in its frame: a document that is whole without a script. */
export function layout(page: Page, site: Site): string {
  const { assets } = site;
  const { title, description, content, aside = '', headings } = page;
  const whole = page.path === '' ? 'Postrider documentation' : `${title} – Postrider`;
  // The navigation lists the groups of operations already.
  const contents = aside === '' ? contentsHtml(page.path === 'api' ? [] : headings) : '';
  const kind = page.path === '' ? 'home' : aside === '' ? 'guide' : 'with-aside';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(whole)}</title>
<meta name="description" content="${escapeHtml(plain(description))}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg">
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.style}">
<link rel="alternate" type="text/markdown" href="${textHrefOf(page)}">
<script src="${assets.theme}"></script>
<script src="${assets.site}" type="module"></script>
</head>
<body class="${kind}">
<a class="skip" href="#main">Skip to the content</a>
${headerHtml(page.area)}
<div class="frame">
<nav class="side" id="pages" aria-label="Pages">${navigationHtml(page, site)}</nav>
<main id="main" tabindex="-1">
<article>
${breadcrumb(page, site)}${content}
</article>
${aside === '' ? '' : `<aside class="beside" aria-label="Samples">${aside}</aside>`}
${page.path === '' ? '' : footHtml(page, site)}
</main>
${contents}
</div>
</body>
</html>
`;
}

const logo =
  '<svg aria-hidden="true" width="22" height="22" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" class="logo-ground"/><path d="M4.5 6.5h11v7h-11z M4.5 7l5.5 4 5.5-4" fill="none" stroke="#f7f6f2" stroke-width="1.4" stroke-linejoin="round"/></svg>';

function headerHtml(current: Area | null): string {
  const links = areas.map((area) => {
    const [href, title] = areaTitles[area];
    return `<a href="${href}"${area === current ? ' aria-current="true"' : ''}>${title}</a>`;
  });
  return `<header class="top">
<button type="button" class="icon menu" aria-expanded="false" aria-controls="pages" hidden><svg aria-hidden="true" width="20" height="20" viewBox="0 0 20 20"><path d="M3 6h14M3 10h14M3 14h14" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg><span class="hidden">Menu</span></button>
<a class="brand" href="/docs">${logo}<span>Postrider</span> <span class="brand-docs">Docs</span></a>
<nav class="areas" aria-label="Areas">${links.join('')}<a href="/docs/console">Console</a></nav>
<button type="button" class="search" aria-label="Search" hidden><svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16"><circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="m10.5 10.5 3.5 3.5" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg><span>Search</span><kbd>/</kbd></button>
<button type="button" class="icon theme" hidden><svg aria-hidden="true" width="18" height="18" viewBox="0 0 18 18"><circle cx="9" cy="9" r="6.5" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M9 2.5a6.5 6.5 0 0 1 0 13z" fill="currentColor"/></svg><span class="hidden">Dark or light</span></button>
<a class="dashboard" href="/">Dashboard</a>
</header>`;
}

function navigationHtml(page: Page, { pages, groups }: Site): string {
  const own = pages.filter(({ area, path }) => area === page.area && path !== '' && path !== page.area);
  const areaLinks = [...areas.map((area) => areaTitles[area]), ['/docs/console', 'Console'] as const].map(
    ([href, title]) => `<li><a href="${href}">${title}</a></li>`,
  );
  const byGroup = [...Map.groupBy(own, ({ group }) => group)];
  const folds = page.area === 'api';
  const lists = byGroup.map(([group, members]) => {
    const links = members.map((each) => navigationLink(each, page)).join('');
    const title = escapeHtml(groups.get(group) ?? group);
    if (!folds) return `<h2>${title}</h2><ul>${links}</ul>`;
    // Two hundred operations are too many to look through at once: those of the other groups are one step away.
    if (group === page.group) return `<details open><summary>${title}</summary><ul>${links}</ul></details>`;
    return `<p class="group"><a href="/docs/api#${slugOfGroup(title)}">${title}</a></p>`;
  });
  return `<ul class="areas-small">${areaLinks.join('')}</ul>${lists.join('')}`;
}

const slugOfGroup = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const navigationLink = (each: Page, current: Page): string =>
  `<li><a href="${hrefOf(each)}"${each.path === current.path ? ' aria-current="page"' : ''}>${breakable(each.label ?? each.title)}</a></li>`;

/** Long codes break after an underscore. */
const breakable = (text: string): string => escapeHtml(text).replaceAll('_', '_<wbr>');

function breadcrumb({ area, path, group }: Page, { groups }: Site): string {
  if (path === '' || path === area) return '';
  const [href, title] = areaTitles[area];
  const name = escapeHtml(groups.get(group) ?? group);
  if (area === 'guides') return `<p class="eyebrow">${name}</p>\n`;
  const place = area === 'api' ? ` / <a href="${href}#${slugOfGroup(name)}">${name}</a>` : '';
  return `<p class="eyebrow"><a href="${href}">${title}</a>${place}</p>\n`;
}

function contentsHtml(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '<div class="contents"></div>';
  const links = shown.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`;
}

function footHtml(page: Page, { pages }: Site): string {
  const order = pages.filter(({ area }) => area === page.area);
  const at = order.findIndex(({ path }) => path === page.path);
  const link = (other: Page | undefined, word: string, name: string): string =>
    other
      ? `<a class="${name}" rel="${name}" href="${hrefOf(other)}"><span>${word}</span>${breakable(other.label ?? other.title)}</a>`
      : '<span></span>';
  const around =
    at < 0
      ? ''
      : `<nav class="around" aria-label="Previous and next">${link(order[at - 1], 'Previous', 'prev')}${link(order[at + 1], 'Next', 'next')}</nav>`;
  return `<footer>${around}<p><a href="${textHrefOf(page)}">This page as Markdown</a> · <a href="/llms.txt">llms.txt</a></p></footer>`;
}

/** What browsers get for an unknown page, with status 404. */
export function notFoundPage(site: Site): string {
  const lost: Page = {
    path: '404',
    area: 'guides',
    group: '',
    title: 'No such page',
    description: 'There is no page with this address.',
    content:
      '<h1>No such page</h1>\n<p class="lead">There is no page with this address. Search for it, or begin with the <a href="/docs">overview</a>.</p>',
    headings: [],
    text: '',
    sections: [],
  };
  return layout(lost, site)
    .replace(/<link rel="alternate"[^>]*>\n/, '')
    .replace(/<footer>.*?<\/footer>/s, '')
    .replace('<meta name="description"', '<meta name="robots" content="noindex">\n<meta name="description"')
    .replace(/<p class="eyebrow">.*?<\/p>\n/s, '');
}

const plain = (text: string): string => text.replaceAll('`', '');
