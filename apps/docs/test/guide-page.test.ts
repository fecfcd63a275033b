import { expect, it } from 'vitest';
import { buildSite } from '../src/build-site.ts';
import { guide, smallSources } from './sources.fixture.ts';

const built = async (text: string, more: Parameters<typeof smallSources>[1] = {}) => {
  const { files } = await buildSite(await smallSources(text, more));
  return (address: string): string => files.get(address)?.body.toString() ?? '';
};

it('references are links in the page and in its text', async () => {
  const file = await built(
    '[send](operation:sending.send), [x](webhook:email.bounce), [y](error:CONFLICT), [z](./one)',
  );
  expect(file('/docs/one')).toContain('<a href="/docs/api/sending.send">send</a>');
  expect(file('/docs/one.md')).toContain(
    '[send](/docs/api/sending.send.md), [x](/docs/webhooks/email.bounce.md), [y](/docs/errors/CONFLICT.md), [z](/docs/one.md)',
  );
});

it('checked names are shown without what they are checked by', async () => {
  const file = await built(
    '`env:SMTP_URL`, `field:sending.send.scheduledAt`, `field:sending.send.attachments.filename`',
  );
  expect(file('/docs/one.md')).toContain('`SMTP_URL`, `scheduledAt`, `attachments.filename`');
  expect(file('/docs/one')).toContain('<code>SMTP_URL</code>, <code>scheduledAt</code>');
});

it('a sample has a tab for each language that it is written in, and shows what is between its marks', async () => {
  const file = await built('<!-- sample: send -->');
  const page = file('/docs/one');
  expect([...page.matchAll(/<input type="radio"[^>]* value="([^"]+)"/g)].map(([, label]) => label)).toEqual([
    'Python',
    'curl',
  ]);
  expect(page).toContain('PYTHON_ONLY');
  expect(page + file('/docs/one.md')).not.toContain('hidden&quot;');
  expect(file('/docs/one.md')).toContain('curl:\n\n```bash\ncurl http://localhost:3000/v1/send\n```');
});

it('HTML in a guide is shown and not run', async () => {
  const page = (await built('<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b'))('/docs/one');
  expect(page).not.toContain('<script>alert');
  expect(page).toContain('&lt;img src=x');
});

it('guides are in the order of their parts, and lead to one another', async () => {
  const guides = new Map([
    ['late', guide('x', 'Late').replace('Start', 'Move')],
    ['second', guide('x', 'Second').replace('order: 1', 'order: 2')],
    ['first', guide('x', 'First')],
  ]);
  const file = await built('', { guides });
  const order = [...file('/docs').matchAll(/<li><a href="\/docs\/(first|second|late)">/g)].map(
    ([, slug]) => slug,
  );
  expect(order.slice(0, 3)).toEqual(['first', 'second', 'late']);
  expect(file('/docs/second')).toMatch(/rel="prev" href="\/docs\/first".*rel="next" href="\/docs\/late"/s);
});

it('a guide with the name of an index is that page, with the list below its text', async () => {
  const file = await built('', {
    guides: new Map([['webhooks', guide('How they are verified.', 'Webhooks')]]),
  });
  expect(file('/docs/webhooks')).toContain('How they are verified.');
  expect(file('/docs/webhooks')).toContain('href="/docs/webhooks/email.bounce"');
  expect(file('/docs/webhooks.md')).toContain('[email.bounce](/docs/webhooks/email.bounce.md)');
});
