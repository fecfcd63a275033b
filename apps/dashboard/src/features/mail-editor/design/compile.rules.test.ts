import {
  addressOf,
  compileBlocks,
  compileDesign,
  type DesignNode,
  defaultDesign,
  expressionOf,
  type MailDesign,
  partsOf,
  readDesign,
} from '@postrider/core/content/templates/contract';
import { defaultBrand } from '@postrider/core/people/projects/contract';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { parseDesign } from './parse-design.ts';
import { pathAt, traceDesign } from './trace-design.rules.ts';

const base = defaultDesign({ name: 'Example Shop', brand: { ...defaultBrand } });
const compile = (design: MailDesign) =>
  compileDesign(design, { subject: 'News for {{name ?? "you"}}', language: 'en' });
const compiled = (...content: DesignNode[]) => compile({ ...base, content: { type: 'doc', content } });

const text = (value: string): DesignNode => ({ type: 'text', text: value });
const paragraph = (...content: DesignNode[]): DesignNode => ({ type: 'paragraph', content });
const variable = (expression: string): DesignNode => ({ type: 'variable', attrs: { expression } });
const column: DesignNode = { type: 'column', content: [paragraph(text('Cell'))] };

const tenBlocks: DesignNode[] = [
  { type: 'image', attrs: { src: 'https://example.com/logo.png', alt: 'Example "Shop"', width: 120 } },
  {
    type: 'heading',
    attrs: { level: 1, align: 'center' },
    content: [text('Hello '), variable('name ?? "you"')],
  },
  paragraph(text('Use <b> & "quotes". '), {
    ...text('Read more'),
    marks: [{ type: 'link', attrs: { href: 'example.com/a?b=1&c=2' } }],
  }),
  { type: 'button', attrs: { label: 'Open', href: 'https://example.com/{{id}}', align: 'center' } },
  { type: 'columns', content: [column, column] },
  { type: 'horizontalRule' },
  {
    type: 'condition',
    attrs: { test: 'plan == "pro" and total > 3' },
    content: [paragraph(text('For pros'))],
  },
  { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('One'))] }] },
  { type: 'spacer', attrs: { height: 40 } },
  { type: 'social', attrs: { links: [{ network: 'GitHub', href: 'https://github.com/example' }] } },
];

describe('a design of ten blocks', () => {
  const html = compiled(...tenBlocks);

  it('is a complete document without an error of the HTML parser, with a language and a title', () => {
    const errors: string[] = [];
    // Liquid inside of attributes is not HTML until it is rendered.
    parse(html.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/g, 'x'), {
      onParseError: ({ code }) => void errors.push(code),
    });
    expect(errors).toEqual([]);
    expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
    expect(html).toContain('<title>News for {{name ?? "you"}}</title>');
    expect(html.trimEnd()).toMatch(/<\/body>\n<\/html>$/);
  });

  it('is far below the size at which mail programs cut an email', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(20_000);
  });

  it('keeps Liquid character by character, and escapes everything else', () => {
    expect(html).toContain('Hello {{name ?? "you"}}</h1>');
    expect(html).toContain('{% if plan == "pro" and total > 3 %}');
    expect(html).toContain('{% endif %}');
    expect(html).toContain('href="https://example.com/{{id}}"');
    expect(html).toContain('Use &lt;b&gt; &amp; &quot;quotes&quot;. ');
    expect(html).toContain('alt="Example &quot;Shop&quot;"');
    expect(html).toContain('href="https://example.com/a?b=1&amp;c=2"');
  });

  it('is the same after it was stored and read again', () => {
    const design: MailDesign = { ...base, content: { type: 'doc', content: tenBlocks } };
    const read = readDesign(parseDesign(JSON.stringify(design)));
    expect(read).toEqual(design);
    expect(read && compile(read)).toBe(html);
  });
});

describe('a design', () => {
  it('keeps Liquid that was typed as text', () => {
    expect(compiled(paragraph(text('{% for item in items %}<{{item.name}}>{% endfor %}')))).toContain(
      '{% for item in items %}&lt;{{item.name}}&gt;{% endfor %}',
    );
  });

  it('puts no code into the email, wherever it comes from', () => {
    const html = compiled(
      { type: 'button', attrs: { label: 'x', href: 'javascript:alert(1)', background: 'red;x:url(y)' } },
      { type: 'image', attrs: { src: 'data:text/html,<script>', alt: '' } },
      { type: 'script', content: [text('never')] },
      { type: 'paragraph', attrs: { color: '"><script>', align: '"' }, content: [text('<script>')] },
    );
    expect(html).not.toMatch(/javascript:|<script|url\(|data:/);
  });

  it('does not show an empty image, and no tag for an empty condition or variable', () => {
    const html = compiled(
      { type: 'image', attrs: { src: '' } },
      { type: 'condition', attrs: { test: ' ' }, content: [paragraph(text('Always'), variable(' '))] },
    );
    expect(html).not.toMatch(/<img|\{%|\{\{ *\}\}/);
    expect(html).toContain('Always');
  });

  it('keeps a block of HTML as it is written, also when it is saved alone', () => {
    const block = { type: 'html', attrs: { html: '<center>{{name ?? "you"}}</center>' } };
    expect(compiled(block)).toContain('\n<center>{{name ?? "you"}}</center>\n');
    expect(compileBlocks([block], base.settings)).toBe('<center>{{name ?? "you"}}</center>');
  });

  it('is sent without the empty text at its end, but with those between its blocks', () => {
    expect(compiled(paragraph(text('Hello')), paragraph())).not.toContain('&nbsp;');
    expect(compiled(paragraph(), paragraph(text('Hello')))).toContain('&nbsp;');
  });

  it('begins with the logo, the colours and the font of the brand', () => {
    const brand = {
      ...defaultBrand,
      logoUrl: 'https://example.com/l.png',
      primaryColor: '#aa3300',
      font: 'GEORGIA',
    } as const;
    const html = compile(defaultDesign({ name: 'Example Shop', brand }));
    expect(html).toContain('src="https://example.com/l.png" alt="Example Shop"');
    expect(html).toContain('background-color:#aa3300');
    expect(html).toContain("font-family:Georgia, 'Times New Roman', serif");
  });
});

it.each([
  null,
  [],
  { version: 2, content: { type: 'doc' } },
  { version: 1, content: { type: 'p' } },
  { content: {} },
])('a design of another program is not opened: %j', (value) => expect(readDesign(value)).toBeNull());

it.each([
  ['example.com', 'https://example.com'],
  ['https://example.com', 'https://example.com'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['{{unsubscribeUrl}}', '{{unsubscribeUrl}}'],
  ['javascript:alert(1)', ''],
  ['  ', ''],
])('the address %j becomes %j', (given, address) => expect(addressOf(given)).toBe(address));

it('a variable has a name and a fallback', () => {
  expect(partsOf('name ?? there')).toEqual({ name: 'name', fallback: 'there' });
  expect(expressionOf('name', 'there')).toBe('name ?? there');
  expect(expressionOf('name', ' ')).toBe('name');
  expect(expressionOf('name }} {% x', '')).toBe('name x');
});

describe('a traced design', () => {
  const design: MailDesign = {
    ...base,
    content: { type: 'doc', content: JSON.parse(JSON.stringify(tenBlocks)) as DesignNode[] },
  };
  const options = { subject: 'News for {{name ?? "you"}}', language: 'en' };
  const { html, ranges } = traceDesign(design, options);
  const at = (words: string) => pathAt(ranges, html.indexOf(words));

  it('has the same HTML', () => expect(html).toBe(compile(design)));

  it('knows the innermost block or variable at a place of the HTML', () => {
    expect(at('logo.png')).toEqual([0]);
    expect(at('Hello ')).toEqual([1]);
    expect(at('{{name ?? "you"}}</h1>')).toEqual([1, 1]);
    expect(at('Read more')).toEqual([2]);
    expect(at('Cell')).toEqual([4, 0, 0]);
    expect(at('For pros')).toEqual([6, 0]);
    expect(at('{% if plan')).toEqual([6]);
    expect(at('>One<')).toEqual([7, 0, 0]);
    expect(at('</html>')).toBeNull();
  });
});
