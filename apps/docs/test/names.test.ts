import { expect, it } from 'vitest';
import { buildSite } from '../src/build-site.ts';
import { BuildError } from '../src/problems.ts';
import { guide, smallSources } from './sources.fixture.ts';

/** A page that names what does not exist fails the build (behaviour B4.21). */
async function problemsOf(
  text: string,
  more: Parameters<typeof smallSources>[1] = {},
): Promise<readonly string[]> {
  try {
    await buildSite(await smallSources(text, more));
    return [];
  } catch (error) {
    if (error instanceof BuildError) return error.problems;
    throw error;
  }
}

it.each([
  ['an operation', '[send](operation:sending.send)'],
  ['a field of a body', '`field:sending.send.attachments.contentType`'],
  ['a parameter', '`field:sending.listEmails.cursor`'],
  ['a field of a reply in its envelope', '`field:sending.send.emails.recipientType`'],
  ['a field of a webhook', '`field:email.bounce.bounceType`'],
  ['a webhook type', '[bounces](webhook:email.bounce)'],
  ['an error code', '[unknown](error:TEMPLATE_NOT_FOUND)'],
  ['a code in code marks', '`TEMPLATE_NOT_FOUND`'],
  ['a variable of the environment', '`env:SMTP_URL`'],
  ['a name of a sample', '`PYTHON_ONLY`'],
  ['a path with a parameter', '`GET /emails/:id`'],
  ['a path with a value', '`GET /emails/0198c1a4?x=1`'],
  ['a path of the mailbox', '`GET /api/messages/:id`'],
  ['a sample', '<!-- sample: send -->'],
  ['the page itself', '[above](#above)\n\n## Above'],
  ['names in a fenced block', '```\n[x](operation:nothing) `env:NOTHING`\n```'],
])('%s that exists is no problem', async (_name, text) => {
  expect(await problemsOf(text)).toEqual([]);
});

it.each([
  ['operation', '[send](operation:sending.sent)', 'operation "sending.sent"'],
  ['field', '`field:sending.send.sheduledAt`', 'field "sending.send.sheduledAt"'],
  ['field of a field', '`field:sending.send.attachments.type`', 'field "sending.send.attachments.type"'],
  ['field of a webhook', '`field:email.bounce.bounceKind`', 'field "email.bounce.bounceKind"'],
  ['webhook type', '[x](webhook:email.bounced)', 'webhook type "email.bounced"'],
  ['error code', '[x](error:TEMPLATE_MISSING)', 'error code "TEMPLATE_MISSING"'],
  ['code in code marks', 'It is `TEMPLATE_MISSING`.', '"TEMPLATE_MISSING" is no code'],
  ['variable', '`env:SMTP_URI`', 'environment variable "SMTP_URI"'],
  ['path', '`GET /v1/send`', '"GET /v1/send" in the API'],
  ['path in a link', '[`POST /v1/sends`](operation:sending.send)', '"POST /v1/sends" in the API'],
  ['guide', '[x](./two)', 'guide "two"'],
  ['heading', '[x](./one#nowhere)', 'names no heading'],
  ['heading of this page', '[x](#nowhere)', 'names no heading'],
  ['page', '[x](/docs/nowhere)', 'leads nowhere'],
  ['form of a link', '[x](../README)', '"../README"'],
  ['sample', '<!-- sample: sent -->', 'sample "sent"'],
])('a wrong %s is a problem that names it and the file', async (_name, text, named) => {
  const problems = await problemsOf(text);
  expect(problems).not.toEqual([]);
  expect(problems.join('\n')).toContain(named);
  expect(problems.join('\n')).toMatch(/docs\/guides\/one\.md|\/docs\/one/);
});

it('a column of a table without a name is a problem', async () => {
  const table = (head: string): string => `| ${head} | b |\n|---|---|\n| 1 | 2 |\n`;
  expect(await problemsOf(table('a'))).toEqual([]);
  expect((await problemsOf(table(' '))).join('\n')).toContain('has a column without a name');
});

it.each([
  ['no front matter', '# One', 'no "title"'],
  ['an unknown part', guide('x').replace('Start', 'Begin'), 'the part "Begin"'],
  ['an order that is no number', guide('x').replace('order: 1', 'order: first'), 'the order is no number'],
])('a guide with %s is a problem', async (_name, source, named) => {
  expect((await problemsOf('', { guides: new Map([['one', source]]) })).join('\n')).toContain(named);
});

it('a text about an error code that does not exist is a problem', async () => {
  const errors = new Map([['GONE', '## Cause\n\nIt is gone.']]);
  expect(await problemsOf('', { errors })).toEqual([
    expect.stringMatching(/GONE\.md: there is no such error code/),
  ]);
});

it('the names of pages of the site are taken', async () => {
  expect((await problemsOf('', { guides: new Map([['console', guide('x')]]) })).join()).toContain(
    '"console" is taken',
  );
});
