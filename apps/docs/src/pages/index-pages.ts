import type { ApiDocument, RawDocument } from '../document/document.ts';
import { parts } from '../guides/front-matter.ts';
import { escapeHtml, slugOf } from '../html/escape.ts';
import { type Heading, headingHtml, renderInline, renderMarkdown } from '../html/markdown.ts';
import { hrefOf, type Page, textHrefOf } from './page.ts';

/** What developers come to do, with the place in a guide that says how. */
export interface TaskLink {
  task: string;
  href: string;
  textHref: string;
}

/** A list of pages as a part of a page. */
interface Listing {
  heading: Heading;
  html: string;
  text: string;
}

const listing = (title: string, html: string, text: string): Listing => ({
  heading: { level: 2, id: slugOf(title), text: title },
  html,
  text,
});

const linkText = (page: Page): string => `- [${page.title}](${textHrefOf(page)}): ${page.description}`;

const item = (page: Page, more = ''): string =>
  `<li><a href="${hrefOf(page)}">${more || escapeHtml(page.title)}</a> <span>${renderInline(page.description)}</span></li>`;

/** The first page: what developers come to do, guides by part, and the way to the reference. */
export function homePage(guides: readonly Page[], tasks: readonly TaskLink[]): Page {
  const [first] = guides;
  const lists = parts.flatMap((part) => {
    const own = guides.filter(({ group }) => group === part);
    if (own.length === 0) return [];
    return [
      listing(
        part,
        `<ul class="cards">${own.map((page) => item(page)).join('')}</ul>`,
        own.map(linkText).join('\n'),
      ),
    ];
  });
  const wanted = listing(
    'What do you want to do?',
    `<ul class="tasks">${tasks.map(({ task, href }) => `<li><a href="${href}">${escapeHtml(task)}</a></li>`).join('')}</ul>`,
    tasks.map(({ task, textHref }) => `- [${task}](${textHref})`).join('\n'),
  );
  const description = 'Send email, follow what became of it, and automate what comes next.';
  const start = first
    ? `<p class="actions"><a class="button" href="${hrefOf(first)}">${escapeHtml(first.title)}</a> <a class="button quiet" href="/docs/api">API reference</a></p>`
    : '';
  const reference = [
    ['/docs/api', 'API reference', 'Every operation, with samples in six languages.'],
    ['/docs/webhooks', 'Webhooks', 'Every type of event with its payload.'],
    ['/docs/errors', 'Errors', 'Every error code with its cause and remedy.'],
    ['/docs/console', 'Console', 'Try requests with your own key.'],
    ['/openapi.json', 'OpenAPI document', 'For generators of clients.'],
    ['/llms.txt', 'llms.txt', 'These pages as text, for language models.'],
  ] as const;
  const cards = reference.map(
    ([href, title, words]) => `<li><a href="${href}">${title}</a> <span>${words}</span></li>`,
  );
  const last = listing(
    'Reference',
    `<ul class="cards">${cards.join('')}</ul>`,
    reference.map(([href, title, words]) => `- [${title}](${href}): ${words}`).join('\n'),
  );
  return page({
    path: '',
    area: 'guides',
    title: 'Documentation',
    description,
    intro: start,
    lists: [...(tasks.length > 0 ? [wanted] : []), ...lists, last],
  });
}

/** All operations by their groups. The sections of the document's introduction are below. */
export function apiIndex(document: ApiDocument, raw: RawDocument, pages: readonly Page[]): Page {
  const lists = document.tags.map(({ title, description, operations }) => {
    const rows = operations.map(
      ({ id, method, path, summary }) =>
        `<li><a href="/docs/api/${id}">${escapeHtml(summary)}</a> <span class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></span></li>`,
    );
    const own = pages.filter(({ path }) => operations.some(({ id }) => path === `api/${id}`));
    return listing(
      title,
      `<p>${renderInline(description)}</p><ul class="operations">${rows.join('')}</ul>`,
      own.map(linkText).join('\n'),
    );
  });
  const basics = renderMarkdown((raw.info.description ?? '').replaceAll(/^## /gm, '### '));
  return page({
    path: 'api',
    area: 'api',
    title: 'API reference',
    description: 'Every operation of the REST API, by what it is about.',
    intro:
      '<p>Programs use a key of a project: <code>Authorization: Bearer sk_…</code>. The same operations are methods of the SDK, fields of GraphQL and tools of MCP.</p>',
    lists: [
      ...lists,
      listing('Basics', basics.html, (raw.info.description ?? '').replaceAll(/^## /gm, '### ')),
    ],
  });
}

export function webhookIndex(pages: readonly Page[]): Page {
  const rows = pages.map((each) => item(each, `<code>${escapeHtml(each.title)}</code>`));
  return page({
    path: 'webhooks',
    area: 'webhooks',
    title: 'Webhooks',
    description: 'Types of events that are posted to your endpoints.',
    intro: '',
    lists: [listing('Types', `<ul class="rows">${rows.join('')}</ul>`, pages.map(linkText).join('\n'))],
  });
}

export function errorIndex(pages: readonly Page[]): Page {
  const rows = pages.map(
    (each) =>
      `<tr><td>${each.group}</td><td><a href="${hrefOf(each)}"><code>${each.title}</code></a></td><td>${renderInline(each.description)}</td></tr>`,
  );
  const table = `<div class="table" tabindex="0" role="group" aria-label="Codes"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
  return page({
    path: 'errors',
    area: 'errors',
    title: 'Errors',
    description: 'Every error code with its cause and remedy.',
    intro:
      '<p>A refused request answers with <code>success: false</code> and an <code>error</code>: its <code>code</code> is for programs, <code>message</code> and <code>suggestion</code> are for people, and <code>docs</code> is the address of its page here.</p>',
    lists: [listing('Codes', table, pages.map(linkText).join('\n'))],
  });
}

/** The index of an area; where a guide has its name, that guide with the list below. */
export function indexOrGuide(index: Page, guides: readonly Page[]): Page {
  const guide = guides.find(({ path }) => path === index.path);
  if (!guide) return index;
  const lists = index.content.slice(index.content.indexOf('<h2'));
  return {
    ...guide,
    content: `${guide.content}\n${lists}`,
    headings: [...guide.headings, ...index.headings],
    text: `${guide.text}\n\n${index.text.slice(index.text.indexOf('## '))}`,
  };
}

interface IndexPage {
  path: string;
  area: Page['area'];
  title: string;
  description: string;
  intro: string;
  lists: readonly Listing[];
}

function page({ path, area, title, description, intro, lists }: IndexPage): Page {
  return {
    path,
    area,
    group: '',
    title,
    description,
    headings: lists.map(({ heading }) => heading),
    content: [
      `<h1>${escapeHtml(title)}</h1>`,
      `<p class="lead">${escapeHtml(description)}</p>`,
      intro,
      ...lists.map(({ heading, html }) => headingHtml(heading, escapeHtml(heading.text)) + html),
    ].join('\n'),
    text: [
      `# ${title}`,
      description,
      ...lists.map(({ heading, text }) => `## ${heading.text}\n\n${text}`),
    ].join('\n\n'),
    sections: [{ heading: null, text: description }],
  };
}
