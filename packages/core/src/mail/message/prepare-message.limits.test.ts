import { describe, expect, test } from 'vitest';
import { prepareMessage } from './index.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

describe('composing takes bounded time for any content', () => {
  test.each([
    ['many elements that are never closed', '<div>'.repeat(200_000) + '</x>'.repeat(200_000)],
    ['many links that are never closed', '<a href="https://x.example">'.repeat(50_000)],
    ['many hidden elements that are never closed', `<div hidden>${'<p hidden>x'.repeat(180_000)}`],
    ['hidden elements that others end', `<b>${'<p style="display:none">x<i>'.repeat(70_000)}`],
    ['many comments in a style', `<p style="${'/*'.repeat(900_000)}">`],
    ['many invisible characters', '\u200b \u00a0'.repeat(600_000)],
    ['many links of images', '<a href=x><img></a>'.repeat(100_000)],
    ['many lists that count down', '<ol reversed><li>'.repeat(100_000)],
    ['many charsets', '<meta charset=x>'.repeat(120_000)],
    ['many unfinished charsets', '<meta charset'.repeat(150_000)],
    ['many lines of text', '{{name}}\n\n'.repeat(3_000)],
    ['many lines', 'x\n'.repeat(300_000)],
    ['many blank lines', `x${' \n'.repeat(900_000)}x`],
    ['many line ends', `{{name}}${'<br>'.repeat(400_000)}`],
    ['many deep lists', '<ul><li>a'.repeat(100_000)],
    ['one long line', `{{name}}${'x'.repeat(1_900_000)}`],
    ['many unfinished tags', '<a '.repeat(600_000)],
    ['many unfinished ends', '</body '.repeat(250_000)],
    ['many entities', '&amp;'.repeat(390_000)],
    [
      'every private character',
      Array.from({ length: 6_400 }, (_, i) => String.fromCharCode(0xe000 + i)).join(''),
    ],
    [
      'many links in a loop',
      '{% for i in (1..20000) %}<a href="https://x.example/{{i}}">{{i}}</a>{% endfor %}',
    ],
  ])('%s', (_name, html) => {
    const prepared = prepareMessage(
      makeContent({ body: html, tracking: true, type: 'MARKETING' }),
      testLinks,
    );
    const { mime } = prepared.compose(makeRecipient({ name: 'Kim' }));
    expect(mime.length).toBeGreaterThan(1_000);
  });
});
