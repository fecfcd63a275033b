import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { type BuiltSite, buildSite } from '../src/build-site.ts';
import { readDocument } from '../src/document/document.ts';
import { realSources } from './sources.fixture.ts';

/** The whole documentation, as it is built (behaviour B4.21). */
let site: BuiltSite;
let sources: Awaited<ReturnType<typeof realSources>>;
beforeAll(async () => {
  sources = await realSources();
  site = await buildSite(sources);
});

const file = (address: string): string => site.files.get(address)?.body.toString() ?? '';
const pages = (): string[] =>
  [...site.files].filter(([, { type }]) => type.startsWith('text/html')).map(([address]) => address);

it('every guide, operation, webhook type and error code has a page and a text', () => {
  const document = readDocument(sources.document);
  const expected = [
    ...[...sources.guides.keys()].map((slug) => `/docs/${slug}`),
    ...document.operations.map(({ id }) => `/docs/api/${id}`),
    ...document.webhooks.map(({ kind }) => `/docs/webhooks/${kind}`),
    ...document.errors.map(({ code }) => `/docs/errors/${code}`),
  ];
  expect(expected.length).toBeGreaterThan(250);
  expect(expected.filter((address) => !site.files.has(address) || !site.files.has(`${address}.md`))).toEqual(
    [],
  );
});

it('every error code has a text about its cause and remedy', () => {
  const codes = readDocument(sources.document).errors.map(({ code }) => code);
  expect(
    codes.filter((code) => !/## Cause\n.*## What to do\n/s.test(file(`/docs/errors/${code}.md`))),
  ).toEqual([]);
});

it('no page, with everything that it loads, is larger than 150 kB', () => {
  const size = (address: string): number => {
    const found = site.files.get(address);
    if (!found) throw new Error(`${address} is missing`);
    return found.type === 'font/woff2' ? found.body.length : gzipSync(found.body).length;
  };
  const sizes = new Map<string, number>();
  const once = (address: string): number => {
    const known = sizes.get(address) ?? size(address);
    sizes.set(address, known);
    return known;
  };
  const tooLarge = pages().flatMap((address) => {
    const loads = new Set(
      [...file(address).matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path),
    );
    const total = once(address) + [...loads].reduce((sum, path) => sum + once(path), 0);
    return total > 150_000 ? [`${address}: ${total}`] : [];
  });
  expect(tooLarge).toEqual([]);
});

it('no page loads anything from another server, or has a script or style of its own', () => {
  const breaking = pages().filter((address) => {
    const html = file(address);
    return (
      /<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!\/)/.test(html) ||
      /<style|\sstyle="|\son[a-z]+="|<script>/.test(html)
    );
  });
  expect(breaking).toEqual([]);
});

it('the index for language models has one line for each page', () => {
  const lines = file('/llms.txt')
    .split('\n')
    .filter((line) => line.startsWith('- ['));
  const addresses = lines.map((line) => /\]\(([^)]+)\)/.exec(line)?.[1] ?? '');
  expect(addresses.length).toBe(pages().length - 1);
  expect(addresses.filter((address) => !site.files.has(address))).toEqual([]);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(file('/llms-full.txt').length).toBeGreaterThan(300_000);
});

it('every link of every text leads to a text', () => {
  const broken = [...site.files].flatMap(([address, { type, body }]) => {
    if (!type.startsWith('text/markdown')) return [];
    const outsideCode = body.toString().replaceAll(/^(`{3,}).*?^\1$/gms, '');
    const targets = [...outsideCode.matchAll(/\]\((\/docs[^)#]*)(?:#[^)]*)?\)/g)].map(
      ([, target = '']) => target,
    );
    return targets
      .filter((target) => !site.files.has(target) && target !== '/docs/console')
      .map((target) => `${address}: ${target}`);
  });
  expect(broken).toEqual([]);
});

it('every operation has samples in six languages, and those of one operation name the same path', () => {
  const { operations } = readDocument(sources.document);
  const wrong = operations.filter(({ id, path }) => {
    const text = file(`/docs/api/${id}.md`);
    const labels = [...text.matchAll(/^(TypeScript|Python|Go|PHP|Ruby|curl):$/gm)].length;
    const start = `http://localhost:3000${path.split('{')[0]}`;
    return labels !== 6 || text.split(start).length - 1 < 5;
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

it('the search finds operations by their fields, and guides by their headings', () => {
  const entries = JSON.parse(file('/docs/search.json')) as [string, string, string, string, string][];
  const withWord = (word: string): string[] =>
    entries.filter((entry) => entry.join(' ').includes(word)).map(([href]) => href);
  expect(withWord('scheduledAt')).toContain('/docs/api/sending.send');
  expect(withWord('TEMPLATE_NOT_FOUND')).toContain('/docs/errors/TEMPLATE_NOT_FOUND');
  expect(
    entries.filter(([href, , heading, , kind]) => kind === 'Guide' && heading !== '' && !href.includes('#')),
  ).toEqual([]);
});
