import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import { prepareMessage } from './index.ts';
import { withPreheader } from './preheader.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

const at = (body: string) =>
  withPreheader({ body, preheader: 'News' }).replace(/<div data-preheader .*<\/div>/, '|');

it.each([
  ['<p>A</p>', '|<p>A</p>'],
  ['<html><body class="{{a}}"><p>A</p></body></html>', '<html><body class="{{a}}">|<p>A</p></body></html>'],
  [
    '<html><head><title>T</title></head><p>A</p></html>',
    '<html><head><title>T</title></head>|<p>A</p></html>',
  ],
  ['<html lang="en"><p>A</p></html>', '<html lang="en">|<p>A</p></html>'],
  ['{{ "<body>" }}<body>A', '{{ "<body>" }}<body>|A'],
])('the preheader is the first content of %s', (body, expected) => {
  expect(at(body)).toBe(expected);
});

it('a body without a preheader stays unchanged', () => {
  expect(withPreheader({ body: '<p>A</p>', preheader: null })).toBe('<p>A</p>');
  expect(withPreheader({ body: '<p>A</p>', preheader: '' })).toBe('<p>A</p>');
});

it('is hidden in the HTML, filled in, missing in the text, and keeps the content flat', async () => {
  const content = makeContent({ preheader: '5 < 6 & {{name}}', body: '<p>Hello {{name}}</p>' });
  const prepared = prepareMessage(content, testLinks);
  expect(prepared.isFlat).toBe(true);
  const { html, text } = await PostalMime.parse(prepared.compose(makeRecipient({ name: '<Kim>' })).mime);
  expect(html).toMatch(/<body>\s*<div data-preheader style="display:none[^>]*>5 &lt; 6 &amp; &lt;Kim&gt;/);
  expect(text?.trim()).toBe('Hello <Kim>');
});

it.each(['<body ', '{{', '{% raw %}{{', '</head '])(
  'finds its place in time linear in a body of "%s"',
  (part) => {
    const body = part.repeat(2_000_000 / part.length);
    const begin = performance.now();
    withPreheader({ body, preheader: 'News' });
    expect(performance.now() - begin).toBeLessThan(2_000);
  },
);
