import { expect, it } from 'vitest';
import { imageHtml } from './insert-text.rules.ts';

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
