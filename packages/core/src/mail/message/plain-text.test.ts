import { expect, test } from 'vitest';
import { htmlToText } from './plain-text.ts';

test.each([
  ['white space collapses', '<p>a  b\n\tc</p>', 'a b c\n'],
  ['paragraphs', '<p>a</p><p>b</p>\n<div>c</div><div>d</div>', 'a\n\nb\n\nc\nd\n'],
  ['empty elements leave no gap', '<p>a</p><p></p><p> </p><p>b</p>', 'a\n\nb\n'],
  ['line ends', 'a<br>b<br><br>c<br><br><br><br>d', 'a\nb\n\nc\n\nd\n'],
  ['entities', 'a &lt;b&gt; &amp; &#39;c&#39;&nbsp;&nbsp;d', "a <b> & 'c'  d\n"],
  ['links', '<a href="https://x.example">this</a> and', 'this (https://x.example) and\n'],
  ['a link that is its own text', '<a href="https://x.example">https://x.example</a>', 'https://x.example\n'],
  [
    'mail and phone links',
    '<a href="mailto:a@b.example">a@b.example</a> <a href="tel:1">1</a>',
    'a@b.example 1\n',
  ],
  ['a link without text', '<a href="https://x.example"><img src="a"></a>', 'https://x.example\n'],
  [
    'a link around an image',
    '<a href="https://x.example"><img src="a" alt="Logo"></a>',
    'Logo (https://x.example)\n',
  ],
  ['anchors and scripts are no links', '<a href="#a">a</a><a href="javascript:x()">b</a><a>c</a>', 'abc\n'],
  ['lists', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>', '- a\n- b\n\n  - c\n'],
  ['numbered lists', '<ol><li>a</li><li>b</li></ol>', '1. a\n2. b\n'],
  ['rules', 'a<hr>b', 'a\n\n---\n\nb\n'],
  ['tables', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>', 'a  b\nc  d\n'],
  ['preformatted', '<pre>a\n  b</pre>', 'a\n  b\n'],
  [
    'what is not shown',
    '<head><title>t</title><style>s</style></head>a<script>x</script><!-- c --><template>y</template>b',
    'ab\n',
  ],
  ['nothing', '<p> </p>', ''],
])('%s', (_name, html, text) => {
  expect(htmlToText(html)).toBe(text);
});
