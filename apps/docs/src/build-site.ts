import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { checkLinks } from './check-links.ts';
import { readDocument } from './document/document.ts';
import { inOrder, readGuide } from './guides/front-matter.ts';
import { knownNames } from './guides/known.ts';
import { resolveText } from './guides/resolve.ts';
import { llmsFull, llmsIndex } from './llms.ts';
import { errorPage } from './pages/error-page.ts';
import { guidePage } from './pages/guide-page.ts';
import {
  apiIndex,
  errorIndex,
  homePage,
  indexOrGuide,
  type TaskLink,
  webhookIndex,
} from './pages/index-pages.ts';
import { type Assets, layout, notFoundPage, type Site } from './pages/layout.ts';
import { operationPage } from './pages/operation-page.ts';
import { hrefOf, type Page, textHrefOf } from './pages/page.ts';
import { webhookPage } from './pages/webhook-page.ts';
import { BuildError, Problems } from './problems.ts';
import { searchIndex } from './search-index.ts';
import type { SiteFile } from './site-file.ts';
import type { Sources } from './sources.ts';

export interface BuiltSite {
  /** by their addresses, such as `/docs/first-email` */
  files: Map<string, SiteFile>;
  /** what an unknown page answers */
  notFound: string;
  pages: readonly Page[];
}

/** All files of the site. @throws BuildError with every name and link that does not exist */
export async function buildSite(sources: Sources): Promise<BuiltSite> {
  const problems = new Problems();
  const pages = pagesOf(sources, problems);
  const files = new Map<string, SiteFile>();
  const assets = await addAssets(files);
  const site: Site = { assets, pages, groups: groupsOf(sources) };
  for (const page of pages) {
    files.set(hrefOf(page), fileOf(layout(page, site), 'text/html; charset=utf-8'));
    files.set(textHrefOf(page), fileOf(`${page.text}\n`, 'text/markdown; charset=utf-8'));
  }
  files.set(
    '/docs/search.json',
    fileOf(JSON.stringify(searchIndex(pages)), 'application/json; charset=utf-8'),
  );
  files.set('/llms.txt', fileOf(llmsIndex(pages, site.groups), 'text/plain; charset=utf-8'));
  files.set('/llms-full.txt', fileOf(llmsFull(pages), 'text/plain; charset=utf-8'));
  const notFound = notFoundPage(site);
  checkLinks(files, problems);
  if (problems.all.length > 0) throw new BuildError(problems.all);
  return { files, notFound, pages };
}

const groupsOf = ({ document }: Sources): ReadonlyMap<string, string> =>
  new Map(readDocument(document).tags.map(({ name, title }) => [name, title]));

function pagesOf(sources: Sources, problems: Problems): Page[] {
  const { samples, readme } = sources;
  const document = readDocument(sources.document);
  const known = knownNames(document, readme);
  const guides = [...sources.guides]
    .flatMap(([slug, text]) => readGuide(slug, text, problems) ?? [])
    .sort(inOrder);
  const resolving = { known, samples, problems, guides: new Set(guides.map(({ slug }) => slug)) };
  const guidePages = guides.map((guide) =>
    guidePage(guide, resolveText(`docs/guides/${guide.slug}.md`, guide.text, resolving), samples),
  );
  const errorPages = document.errors
    .map((error) => {
      const text = sources.errors.get(error.code);
      const where = `docs/errors/${error.code}.md`;
      return errorPage(error, text === undefined ? null : resolveText(where, text, resolving));
    })
    .sort((a, b) => a.group.localeCompare(b.group) || a.title.localeCompare(b.title));
  const meanings = new Map(errorPages.map(({ title, description }) => [title, description]));
  const describe = (code: string, status: number): string => {
    const own = document.errors.find((error) => error.code === code)?.cases ?? [];
    // A code with an unusual status has another cause there.
    const unusual = own.length > 1 ? own.find((each) => each.status === status)?.summary : undefined;
    return unusual === undefined ? (meanings.get(code) ?? '') : `${unusual}.`;
  };
  const operationPages = document.tags.flatMap(({ name, operations }) =>
    operations.map((operation) => operationPage(document, operation, { group: name, describe })),
  );
  const webhookPages = document.webhooks.map((webhook) => webhookPage(document, webhook));
  for (const code of sources.errors.keys())
    if (!known.isError(code)) problems.add(`docs/errors/${code}.md`, 'there is no such error code');
  const indexes = [
    apiIndex(document, sources.document, operationPages),
    webhookIndex(webhookPages),
    errorIndex(errorPages),
  ].map((index) => indexOrGuide(index, guidePages));
  const [api, webhooks, errors] = indexes;
  const replaced = new Map(indexes.filter(({ area }) => area === 'guides').map((page) => [page.path, page]));
  const only = (page: Page | undefined): Page[] => (page && page.area !== 'guides' ? [page] : []);
  return [
    homePage(guidePages, taskLinks(sources, guidePages, problems)),
    ...guidePages.map((page) => replaced.get(page.path) ?? page),
    ...only(api),
    ...operationPages,
    ...only(webhooks),
    ...webhookPages,
    ...only(errors),
    ...errorPages,
  ];
}

function taskLinks({ tasks }: Sources, guides: readonly Page[], problems: Problems): TaskLink[] {
  return tasks.flatMap(({ task, guide, heading }) => {
    const page = guides.find(({ path }) => path === guide);
    const found = page?.headings.find(({ text }) => text === heading);
    const isTitle = page?.title === heading;
    if (!page || (!found && !isTitle)) {
      problems.add('docs/guides/tasks.json', `there is no heading "${heading}" in a guide "${guide}"`);
      return [];
    }
    return [{ task, href: found ? `${hrefOf(page)}#${found.id}` : hrefOf(page), textHref: textHrefOf(page) }];
  });
}

const fileOf = (text: string, type: string): SiteFile => ({
  type,
  body: Buffer.from(text),
  immutable: false,
});

const font = createRequire(import.meta.url).resolve(
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
);

/** Styles, scripts and the font, with a part of their hash in their addresses. */
async function addAssets(files: Map<string, SiteFile>): Promise<Assets> {
  const add = (name: string, ending: string, type: string, body: Buffer): string => {
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
    const address = `/docs/assets/${name}-${hash}.${ending}`;
    files.set(address, { type, body, immutable: true });
    return address;
  };
  const read = (path: string): Promise<string> => readFile(join(import.meta.dirname, path), 'utf8');
  const script = async (name: string): Promise<string> => {
    const text = stripTypeScriptTypes(await read(`browser/${name}.ts`));
    return add(name, 'js', 'text/javascript; charset=utf-8', Buffer.from(smaller(text)));
  };
  const fontAddress = add('inter', 'woff2', 'font/woff2', await readFile(font));
  const style = `${await read('style/tokens.css')}\n${await read('style/site.css')}`.replace(
    'FONT',
    fontAddress,
  );
  return {
    font: fontAddress,
    style: add('site', 'css', 'text/css; charset=utf-8', Buffer.from(smaller(style))),
    theme: await script('theme'),
    site: await script('site'),
  };
}

/** Without indentation and empty lines; comments of whole lines are left out. */
const smaller = (text: string): string =>
  text
    .replaceAll(/^\s*\/\*.*?\*\/\s*$/gms, '')
    .replaceAll(/^[ \t]+|[ \t]+$/gm, '')
    .replaceAll(/^\/\/.*$/gm, '')
    .replaceAll(/\n{2,}/g, '\n');
