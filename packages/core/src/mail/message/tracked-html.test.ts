import { expect, test } from 'vitest';
import { trackHtml, webAddresses } from './tracked-html.ts';

function show(html: string): string {
  const pieces = trackHtml(html, () => true);
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : 'pixel' in piece ? '[pixel]' : `[${piece.click}]`))
    .join('');
}

test.each([
  ['<a href="http://x">a</a>', '<a href="[http://x]">a</a>[pixel]'],
  ["<A\nHREF = 'HTTPS://x'>a</A>", "<A\nHREF = '[HTTPS://x]'>a</A>[pixel]"],
  ['<a href=http://x/>a</a>', '<a href="[http://x/]">a</a>[pixel]'],
  [
    '<a title="href=" href="http://x?a&amp;b&#38;c">a</a>',
    '<a title="href=" href="[http://x?a&b&c]">a</a>[pixel]',
  ],
  ['<a href="&#104;ttp://x">a</a>', '<a href="[http://x]">a</a>[pixel]'],
  ['<a href=" http://x ">a</a>', '<a href="[http://x]">a</a>[pixel]'],
  ['<a href="http://x" href="http://y">a</a>', '<a href="[http://x]" href="http://y">a</a>[pixel]'],
  [
    '<a href="//x">a</a><a href="/x">b</a><a href="ftp://x">c</a>',
    '<a href="//x">a</a><a href="/x">b</a><a href="ftp://x">c</a>[pixel]',
  ],
  ['<abbr href="http://x"><area href="http://y">', '<abbr href="http://x"><area href="http://y">[pixel]'],
  [
    '<script>"<a href=\'http://x\'>"</script><!--<a href="http://y">-->',
    '<script>"<a href=\'http://x\'>"</script><!--<a href="http://y">-->[pixel]',
  ],
  [
    '<body><a href="http://x">a</a></body><p></BODY></html>',
    '<body><a href="[http://x]">a</a></body><p>[pixel]</BODY></html>',
  ],
  ['<body></body><a href="http://x">a</a>', '<body>[pixel]</body><a href="[http://x]">a</a>'],
  ['<a href="http://x/</body>">a</a>', '<a href="[http://x/</body>]">a</a>[pixel]'],
  ['<a href="http://x', '<a href="http://x[pixel]'],
  [
    '<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="http://x?a&amp;b" arcsize="8%"><w:anchorlock/></v:roundrect><![endif]--><a href="http://x?a&amp;b">a</a>',
    '<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="[http://x?a&b]" arcsize="8%"><w:anchorlock/></v:roundrect><![endif]--><a href="[http://x?a&b]">a</a>[pixel]',
  ],
  [
    '<!--[if (gte mso 9)|(IE)]><table><td><a href=http://x>a</a><!-- <a href="http://y"> --><![endif]--> <!--[if !mso]><!--><a href="http://z">z</a><!--<![endif]-->',
    '<!--[if (gte mso 9)|(IE)]><table><td><a href="[http://x]">a</a><!-- <a href="http://y"> --><![endif]--> <!--[if !mso]><!--><a href="[http://z]">z</a><!--<![endif]-->[pixel]',
  ],
  [
    '<v:rect href="http://x" /><vx href="http://y">',
    '<v:rect href="[http://x]" /><vx href="http://y">[pixel]',
  ],
])('%s', (html, expected) => {
  expect(show(html)).toBe(expected);
});

test('untracked links stay unchanged', () => {
  const html = '<a href="http://x">a</a><a href="http://y">b</a>';
  const pieces = trackHtml(html, (url) => url === 'http://y');
  expect(pieces).toContainEqual({ click: 'http://y' });
  expect(pieces).not.toContainEqual({ click: 'http://x' });
});

test('each URL is listed once, in order', () => {
  expect(
    webAddresses('<a href="http://b">1</a><a href="http://a">2</a><a href="http://b">3</a><a href="#">4</a>'),
  ).toEqual(['http://b', 'http://a']);
});

test('links that only Outlook reads come last, so that the numbers of the others do not depend on them', () => {
  const outlook = '<!--[if mso]><v:rect href="http://o"></v:rect><a href="http://b">b</a><![endif]-->';
  const html = `${outlook}<v:oval href="http://v"/><a href="http://b">1</a><a href="http://a">2</a>`;
  expect(webAddresses(html)).toEqual(['http://b', 'http://a', 'http://v', 'http://o']);
});
