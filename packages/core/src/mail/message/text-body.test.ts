import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { withUtf8 } from './html-charset.ts';
import { prepareMessage } from './index.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

async function partsOf(body: string, vars: Record<string, unknown> = {}, more = {}) {
  const prepared = prepareMessage(makeContent({ body, ...more }), testLinks);
  const { html = '', text = '' } = await PostalMime.parse(prepared.compose(makeRecipient(vars)).mime);
  const lines = (part: string): string => part.replaceAll('\r\n', '\n');
  return {
    isFlat: prepared.isFlat,
    html: /<body>\n([\s\S]*)\n<\/body>/.exec(lines(html))?.[1] ?? lines(html),
    text: lines(text).trimEnd(),
  };
}

describe('a body that is text', () => {
  it('keeps its lines in both parts', async () => {
    const body = 'Hi {{name}},\n\n  5 < 6 & 7 > 3\nBye\n\n\nKim\n';
    expect(await partsOf(body, { name: '<Kim> & co' })).toEqual({
      isFlat: true,
      html: '<p>Hi &lt;Kim&gt; &amp; co,</p>\n<p>  5 &lt; 6 &amp; 7 &gt; 3<br>\nBye</p>\n<p>Kim</p>',
      text: 'Hi <Kim> & co,\n\n  5 < 6 & 7 > 3\nBye\n\n\nKim',
    });
  });

  it('may have tags of the template language', async () => {
    const body = 'Hi\r\n{%- if name %} {{ name | upcase }}{% endif %}\r\n\r\nBye';
    expect(await partsOf(body, { name: 'Kim' })).toEqual({
      isFlat: false,
      html: '<p>Hi KIM</p>\n<p>Bye</p>',
      text: 'Hi KIM\n\nBye',
    });
  });

  it('has its preheader and footer', async () => {
    const { html, text } = await partsOf('a\nb', {}, { preheader: 'News', type: 'MARKETING' });
    expect(html).toMatch(/^<div data-preheader [\s\S]*News[\s\S]*<\/div><p>a<br>\nb<\/p>\s*<hr>/);
    expect(text).toMatch(/^a\nb\n\n---\n\nYou receive/);
  });

  it.each([
    ['one line', 'a b'],
    ['one line with its end', 'a b\n'],
    ['a tag', 'a\n<br>b'],
    ['a comment', 'a\n<!-- b -->'],
    ['an entity', 'a\n&nbsp;b'],
    ['HTML in a value', 'a\n{{ b | raw }}'],
  ])('is none with %s', async (_what, body) => {
    expect((await partsOf(body, { b: '<b>' })).html).toBe(body.replace('{{ b | raw }}', '<b>'));
  });
});

describe('HTML that names a charset', () => {
  it.each([
    ['<meta charset=windows-1252>', '<meta charset=utf-8>'],
    ["<META CHARSET='latin1' />", "<META CHARSET='utf-8' />"],
    [
      '<meta http-equiv=Content-Type content="text/html; charset=windows-1252">',
      '<meta http-equiv=Content-Type content="text/html; charset=utf-8">',
    ],
    [
      '<meta content="text/html;charset=iso-8859-1" http-equiv="content-type">',
      '<meta content="text/html;charset=utf-8" http-equiv="content-type">',
    ],
  ])('%s', (given, expected) => {
    const document = (meta: string): string => `<html><head>${meta}<title>T</title></head><p>A</p></html>`;
    expect(withUtf8(document(given))).toBe(document(expected));
  });

  it.each([
    '<meta charset="UTF-8"><meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
    '<!--[if mso]><meta charset="windows-1252"><![endif]-->',
    '<p title="<meta charset=x>">charset=x</p><meta name="a" content="charset=x">',
  ])('%s stays', (html) => {
    expect(withUtf8(html)).toBe(html);
  });

  it('is sent as UTF-8, also when a value is the whole document', async () => {
    const html = '<html><head><meta charset="windows-1252"></head><body>é</body></html>';
    for (const [body, vars] of [
      [html, {}],
      ['{{ html | raw }}', { html }],
    ] as const)
      expect((await partsOf(body, vars)).html.trim()).toBe(html.replace('windows-1252', 'utf-8'));
  });
});

it('control characters of the source and of values are in neither part', async () => {
  const given = { body: '<p>a\u0000b\t{{v}}</p>', v: 'c\u0007\u001bd' };
  for (const body of [given.body, `${given.body}{% if true %}{% endif %}`]) {
    const { html, text } = await partsOf(body, { v: given.v });
    expect(html).toBe('<p>ab\tcd</p>');
    expect(text).toBe('ab cd');
  }
});
