import {
  type Box,
  boxLimits,
  compileDesign,
  type DesignNode,
  defaultDesign,
  hasGround,
  innerWidth,
  lineHeightLimits,
  type MailDesign,
  readBox,
  readDesign,
  sizeLimits,
} from '@postrider/core/content/templates/contract';
import { defaultBrand } from '@postrider/core/people/projects/contract';
import fc from '@postrider/vitest/fast-check.ts';
import { getSchema } from '@tiptap/core';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { extensions } from './extensions.ts';

const whole = ([min, max]: readonly [number, number]) => fc.integer({ min, max });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const color = fc.constantFrom('#22325c', '#ffffff', '#aa3300', '#000');
const align = fc.constantFrom('left', 'center', 'right');

const box: fc.Arbitrary<Box> = fc.record({
  ground: maybe(color),
  above: whole(boxLimits),
  below: whole(boxLimits),
  sides: whole(boxLimits),
  noPhone: fc.boolean(),
});

/** Each text is a word that no other text has, beside characters that HTML has other meanings for. */
const text = fc
  .constantFrom('plain', 'a & b', '<b>', '"quoted"', "it's", 'Žluťoučký')
  .map((words): DesignNode => ({ type: 'text', text: words }));
const attrs = fc.record({
  align,
  color: maybe(color),
  size: maybe(whole(sizeLimits)),
  lineHeight: maybe(whole(lineHeightLimits)),
  box: maybe(box),
});
const paragraph = fc
  .record({ attrs, content: fc.array(text, { minLength: 1, maxLength: 2 }) })
  .map((node): DesignNode => ({ type: 'paragraph', ...node }));
const heading = fc.record({ attrs, level: fc.integer({ min: 1, max: 3 }), content: fc.tuple(text) }).map(
  ({ attrs: look, level, content }): DesignNode => ({
    type: 'heading',
    attrs: { ...look, level },
    content,
  }),
);
const list = fc.record({ attrs, items: fc.array(paragraph, { minLength: 1, maxLength: 2 }) }).map(
  ({ attrs: look, items }): DesignNode => ({
    type: 'bulletList',
    attrs: look,
    content: items.map((item) => ({ type: 'listItem', content: [item] })),
  }),
);
const image = fc
  .record({ width: maybe(fc.integer({ min: 8, max: innerWidth })), align, box: maybe(box) })
  .map(
    (look): DesignNode => ({
      type: 'image',
      attrs: { ...look, src: 'https://example.com/a.png', alt: '' },
    }),
  );
const button = fc
  .record({ size: fc.integer({ min: 12, max: 28 }), wide: fc.boolean(), box: maybe(box) })
  .map((look): DesignNode => ({ type: 'button', attrs: { ...look, label: 'Open', href: 'example.com' } }));

const block = fc.oneof(paragraph, heading, list, image, button);
const column = fc
  .record({
    attrs: fc.record({ background: maybe(color), padding: fc.integer({ min: 0, max: 40 }) }),
    content: fc.array(block, { minLength: 1, maxLength: 2 }),
  })
  .map((node): DesignNode => ({ type: 'column', ...node }));
const columns = fc
  .record({
    content: fc.array(column, { minLength: 2, maxLength: 3 }),
    widths: maybe(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 3 })),
    gap: fc.integer({ min: 0, max: 60 }),
    stack: fc.constantFrom('stack', 'reverse', 'keep'),
    valign: fc.constantFrom('top', 'middle', 'bottom'),
    box: maybe(box),
  })
  .map(({ content, ...look }): DesignNode => ({ type: 'columns', attrs: look, content }));
const panel = fc
  .record({
    padding: fc.integer({ min: 0, max: 60 }),
    content: fc.array(block, { minLength: 1, maxLength: 2 }),
  })
  .map(({ content, padding }): DesignNode => ({ type: 'panel', attrs: { padding }, content }));
const condition = fc
  .record({
    hides: fc.boolean(),
    content: fc.array(fc.oneof(block, columns, panel), { minLength: 1, maxLength: 2 }),
  })
  .map(
    ({ content, hides }): DesignNode => ({
      type: 'condition',
      attrs: { test: 'plan == "pro"', hides },
      content,
    }),
  );

const base = defaultDesign({ name: 'Example Shop', brand: { ...defaultBrand } });
const design = fc
  .array(fc.oneof(block, columns, panel, condition), { minLength: 1, maxLength: 4 })
  .map((content): MailDesign => numbered({ ...base, content: { type: 'doc', content } }));

/** With a word before each text that no other text has. */
function numbered(given: MailDesign): MailDesign {
  let count = 0;
  const visit = (node: DesignNode): DesignNode => {
    if (node.type === 'text') {
      count += 1;
      return { ...node, text: `word${count} ${node.text}` };
    }
    return { ...node, ...(node.content && { content: node.content.map(visit) }) };
  };
  return { ...given, content: visit(given.content) };
}

const options = { subject: 'News', language: 'en' };

/** What each node was compiled to. */
function compiledNodes(given: MailDesign): { html: string; nodes: [DesignNode, string][] } {
  const nodes: [DesignNode, string][] = [];
  const html = compileDesign(given, {
    ...options,
    mark(part, node) {
      nodes.push([node, part]);
      return part;
    },
  });
  return { html, nodes };
}

const textsIn = (node: DesignNode): string[] =>
  node.type === 'text' ? [node.text ?? ''] : (node.content ?? []).flatMap(textsIn);

type HtmlNode = DefaultTreeAdapterMap['node'];

function htmlTexts(node: HtmlNode): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  if (node.nodeName === 'style' || node.nodeName === 'title') return '';
  return 'childNodes' in node ? node.childNodes.map(htmlTexts).join('') : '';
}

describe('whatever is set in a design', () => {
  it('is HTML without an error of the parser, and the same after it was stored', () =>
    fc.assert(
      fc.property(design, (given) => {
        const html = compileDesign(given, options);
        const errors: string[] = [];
        parse(html.replaceAll(/\{%.*?%\}/g, ''), { onParseError: ({ code }) => void errors.push(code) });
        expect(errors).toEqual([]);
        expect(html).not.toMatch(/undefined|NaN|\[object/);
        const stored = readDesign(JSON.parse(JSON.stringify(given)));
        expect(stored && compileDesign(stored, options)).toBe(html);
      }),
    ));

  it('has every text once, in the order of the document but for columns that phones show in reverse', () =>
    fc.assert(
      fc.property(design, (given) => {
        const written = htmlTexts(parse(compileDesign(given, options).replaceAll(/\{%.*?%\}/g, '')));
        const texts = textsIn(given.content);
        for (const each of texts) expect(written.split(each)).toHaveLength(2);
        if (JSON.stringify(given).includes('"reverse"')) return;
        const places = texts.map((each) => written.indexOf(each));
        expect(places).toEqual(places.toSorted((one, other) => one - other));
      }),
    ));

  it('is in the HTML of its block', () =>
    fc.assert(
      fc.property(design, (given) => {
        for (const [node, html] of compiledNodes(given).nodes) expectLook(node, html);
      }),
    ));

  it('fits into the space that it has, by the widths that Outlook reads', () =>
    fc.assert(
      fc.property(design, (given) => {
        const { html, nodes } = compiledNodes(given);
        for (const [node, part] of nodes) if (node.type === 'columns') expectToFit(node, part);
        for (const [, width] of html.matchAll(/<img [^>]*width="(\d+)"/g))
          expect(Number(width)).toBeLessThanOrEqual(innerWidth);
      }),
    ));
});

function expectLook(node: DesignNode, html: string): void {
  const { size, lineHeight, align: side, color: own, box: around } = node.attrs ?? {};
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'bulletList') {
    if (typeof size === 'number') expect(html).toContain(`font-size:${size}px`);
    if (typeof lineHeight === 'number') expect(html).toContain(`line-height:${lineHeight / 100}`);
    if (typeof own === 'string') expect(html).toContain(`color:${own}`);
    if (side !== 'left') expect(html).toContain(`text-align:${String(side)}`);
  }
  // A text inside a list has no box.
  if (!hasGround(node.type) || html.startsWith('<p')) return;
  const { ground, above, below, sides, noPhone } = readBox(node.type, around);
  if (ground !== null) expect(html).toContain(`background-color:${ground}`);
  if (above + below + sides > 0) expect(html).toContain(`padding:${above}px ${sides}px ${below}px`);
  if (noPhone) expect(html).toContain('class="no-phone"');
}

/** The cells of a row and the gaps between them are no wider than the row, and no image is wider than the widest cell. */
function expectToFit(node: DesignNode, html: string): void {
  const gap = Number(node.attrs?.['gap']);
  const { sides } = readBox('columns', node.attrs?.['box']);
  const cells = [...html.matchAll(/<td(?: class="column(?: bare)?")? width="(\d+)" valign/g)].map(
    ([, width]) => Number(width),
  );
  const count = node.content?.length ?? 0;
  expect(cells).toHaveLength(count);
  const total = cells.reduce((sum, width) => sum + width, 0) + gap * (count - 1);
  expect(total).toBeLessThanOrEqual(innerWidth - 2 * sides);
  for (const [, width] of html.matchAll(/<img [^>]*width="(\d+)"/g))
    expect(Number(width)).toBeLessThanOrEqual(Math.max(1, ...cells));
}

it('the editor keeps everything of a design that it opens', () => {
  const schema = getSchema(extensions);
  fc.assert(
    fc.property(design, (given) => {
      const opened = schema.nodeFromJSON(given.content);
      opened.check();
      const { attrs: _, ...content } = opened.toJSON() as DesignNode;
      expect(compileDesign({ ...given, content }, options)).toBe(compileDesign(given, options));
    }),
  );
});
