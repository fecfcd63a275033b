import { expect, it } from 'vitest';
import { imageHtml, insertAt } from './insert-text.rules.ts';

it.each([
  ['at the caret', { start: 2, end: 2 }, 'abXcd'],
  ['in place of the selection', { start: 1, end: 3 }, 'aXd'],
  ['at the end', { start: 4, end: 4 }, 'abcdX'],
])('text is inserted %s', (_name, place, result) => {
  expect(insertAt('abcd', place, 'X')).toBe(result);
});

it('an image is as wide as it is, at most as the column of an email', () => {
  const image = { url: 'https://example.com/a.png', alt: '' };
  expect(imageHtml({ ...image, width: 120 })).toContain(' width="120" ');
  expect(imageHtml({ ...image, width: 2400 })).toContain(' width="600" ');
  expect(imageHtml({ ...image, width: null })).not.toContain(' width=');
});

it('an alternative text cannot end its attribute or begin a variable', () => {
  const html = imageHtml({ url: 'https://example.com/a.png', alt: 'A "big" <b> & {{name}}', width: null });
  expect(html).toContain('alt="A &quot;big&quot; &lt;b&gt; &amp; &#123;&#123;name&#125;&#125;"');
});
