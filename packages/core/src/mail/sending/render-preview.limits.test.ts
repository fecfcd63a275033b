import { afterAll, describe, expect, test } from 'vitest';
import { createThreads } from '../../adapters/threads/index.ts';
import { ownTurns } from '../../base/kernel/ports/owners.ts';
import { newId } from '../../base/lib/ids.ts';
import { renderPreview } from './render-preview.ts';

const long = 'a'.repeat(900_000);
const needle = `b${'a'.repeat(400_000)}`;

/** Each of these runs for minutes or exhausts the memory of a process when nothing stops it. */
const heavy: Record<string, string> = {
  'a huge range': '{% for i in (1..1000000000) %}x{% endfor %}',
  'a range beyond exact integers': '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}',
  'such a range in when':
    '{% case n %}{% when (9007199254740992..9007199254740994) %}x{% else %}y{% endcase %}',
  'such a range in a filter': '{{ "a,b" | split: "," | where: "x[(9007199254740992..9007199254740994)]" }}',
  'such a range in an expression':
    '{{ "a,b" | split: "," | where_exp: "x", "(9007199254740992..9007199254740994)" }}',
  'such a range in a liquid tag':
    '{% liquid\nfor i in (9007199254740992..9007199254740994)\necho i\nendfor %}',
  'nested loops':
    '{% for i in (1..1000) %}{% for j in (1..1000) %}{% for k in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}',
  'long text in nested loops': `{% for i in (1..1000) %}{% for j in (1..1000) %}${'x'.repeat(100_000)}{% endfor %}{% endfor %}`,
  'a capture that doubles itself':
    '{% assign a = "x" %}{% for i in (1..100) %}{% capture a %}{{a}}{{a}}{% endcapture %}{% endfor %}{{ a | url_encode }}',
  'append doubling': '{% assign a = "x" %}{% for i in (1..100) %}{% assign a = a | append: a %}{% endfor %}',
  'replace growing':
    '{% assign a = "x" %}{% for i in (1..99) %}{% assign a = a | replace: "x", "xxxxxxxx" %}{% endfor %}',
  'concat doubling':
    '{% assign a = "x,y" | split: "," %}{% for i in (1..100) %}{% assign a = a | concat: a %}{% endfor %}',
  'a list that holds itself twice':
    '{% assign a = "x" | split: "," %}{% for i in (1..99) %}{% assign a = a | push: a %}{% endfor %}{{ a | join }}',
  'grouped lists as JSON':
    '{% assign a = "x" | split: "," %}{% for i in (1..30) %}{% assign b = a | group_by: "z" %}{% assign a = b | concat: b %}{% endfor %}{{ a | json }}{{ a }}',
  'sorting large ranges': '{% assign a = (1..150000) | sort %}{% assign a = (1..1000000) | sample %}',
  'filters over many items':
    '{% for i in (1..1000) %}{% assign a = (1..100000) | where: "a.b.c", 1 %}{% endfor %}',
  'a long path for many items': `{% assign a = (1..100000) | map: "${'a.'.repeat(20_000)}" %}`,
  'a long date format': `{{ "now" | date: "${'%c'.repeat(20_000)}" }}`,
  'a wide date format': '{{ "now" | date: "%100000000d" }}',
  'a slow search': `{% capture a %}${long}{% endcapture %}{% capture b %}${needle}{% endcapture %}{% if a contains b %}x{% endif %}{{ a | replace: b, "" | size }}`,
  'blank lines in a comment tag': `{% #${'\n'.repeat(45_000)}%}`,
  'a cycle with many groups': `{% for i in (1..1000000) %}{% cycle i: "${'a'.repeat(40_000)}", "b" %}{% endfor %}`,
  'a long condition in a loop': `{% for i in (1..1000) %}{% if ${'1 and '.repeat(8_000)} 1 %}{% endif %}{% endfor %}`,
  'many large values': '{{large}}'.repeat(50_000),
  'deep values': '{{ deepList }}{{ deepObject }}{{ deepList | json | size }}{{ deepList | join | size }}',
};

const threads = createThreads(
  { LINKS_URL: 'http://localhost', APP_SECRET: 'a secret of these tests alone', previousSecrets: [] },
  ownTurns,
);
afterAll(() => threads.close());

const preview = (body: string, subject = 'Hello') =>
  // Each in a project of its own: one whose templates take long pauses ever longer.
  renderPreview({ threads }, newId(), {
    content: {
      type: 'TRANSACTIONAL',
      sourceType: 'TRANSACTIONAL',
      subject,
      preheader: null,
      body,
      from: 'a@example.com',
      fromName: null,
      replyTo: null,
      text: null,
      headers: {},
      attachments: [],
      projectId: '01900000-0000-7000-8000-00000000000a',
      projectName: 'Project',
      language: 'en',
      tracking: false,
    },
    contact: {
      id: '',
      email: 'reader@example.com',
      subscribed: true,
      data: { n: 1, large: 'b'.repeat(60_000), deepList: nest([]), deepObject: nest({}) },
    },
    requestData: null,
    owner: { contactId: null, emailId: null },
    to: 'reader@example.com',
    toName: null,
    locale: null,
  });

describe('a preview of any template ends', () => {
  test.each(Object.entries(heavy))('%s', async (_name, source) => {
    const { html } = await preview(`${source} the end`);
    expect(html).toContain('the end');
    expect(html?.length).toBeLessThan(13_000_000);
  });
});

test('a template that reached a limit is filled in without its tags', async () => {
  const endless =
    '{% for i in (1..1000000) %}{% for j in (1..1000) %}{% if 1 %}{% endif %}{% endfor %}{% endfor %}';
  const result = await preview(`Hi {{email}}${endless}!`, `For {{email}}${endless}`);
  expect(result).toMatchObject({ limited: true, subject: 'For reader@example.com' });
  expect(result.html).toContain('Hi reader@example.com!');
});

/** As deep as JSON of a request may be. */
function nest(inner: unknown): unknown {
  let value: unknown = inner;
  for (let i = 0; i < 500; i++) value = Array.isArray(inner) ? [value] : { value };
  return value;
}
