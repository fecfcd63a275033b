import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { checkContent, type Finding } from '../preflight.rules.ts';

type Content = Parameters<typeof checkContent>[0]['content'];
type Checked = Omit<Content, 'fields'> & { address: string | null; known: Content['fields'] };

/** A template of a workflow; what differs in campaigns is said. */
const good: Checked = {
  subject: 'News for {{firstName ?? "you"}}',
  preheader: 'What is new in May',
  body: `<h1>Hello {{firstName ?? there}}</h1>
<p>This month there are three new things, and each of them has a page of its own.</p>
<p><a href="https://shop.postrider.dev/{{plan ?? free}}">Read more</a></p>
<img src="https://shop.postrider.dev/may.png" alt="Three boxes" width="300">`,
  text: null,
  type: 'MARKETING',
  source: 'events',
  design: null,
  address: '1 Main Street, London',
  rendered: null,
  known: new Map([
    ['firstName', 87],
    ['plan', 100],
  ]),
};
const found = (change: Partial<Checked>): Finding[] => {
  const { address, known, ...content } = { ...good, ...change };
  return checkContent({ content: { ...content, fields: known }, address });
};
const sent = { type: 'TRANSACTIONAL', source: 'requests' } as const;
const texts = (change: Partial<Checked>): string[] => found(change).map(({ message }) => message);
const filler = `<p>${'Words that say something. '.repeat(4)}</p>`;
const ofBody = (html: string, change: Partial<Checked> = {}): string[] =>
  texts({ body: filler + html, ...change });

it('an email without problems has no findings', () => expect(found({})).toEqual([]));

describe('links', () => {
  it.each([
    ['<a href="">Shop</a>', 'The link “Shop” leads nowhere'],
    ['<a href="#">Shop</a>', 'The link “Shop” leads nowhere'],
    ['<a>Shop</a>', 'The link “Shop” leads nowhere'],
    ['<a href="shop.html">Shop</a>', 'The link “Shop” leads to “shop.html”, which is not a complete address'],
    ['<a href="javascript:buy()">Shop</a>', 'The link “Shop” begins with “javascript:”'],
    ['<a href="mailto:">Write</a>', 'The link “Write” has no address after “mailto:”'],
    ['<a href="https://">Shop</a>', 'The link “Shop” has no valid address'],
    ['<a href="https://www.example.com/a">Shop</a>', 'leads to www.example.com, which is a placeholder'],
    ['<a href="http://localhost:3000">Shop</a>', 'leads to localhost, which is a placeholder'],
    ['<a href="https://bit.ly/x">Shop</a>', 'uses the URL shortener bit.ly'],
    ['<a href="https://evil.io/x">https://bank.com</a>', 'A link reads “https://bank.com” but opens evil.io'],
    ['<a href="https://postrider.dev"></a>', 'A link has no text'],
    ['<a href="#end">End</a>', 'The link “End” leads to #end, which this email does not have'],
  ])('%s is found', (html, text) => {
    const all = ofBody(html);
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(text);
  });

  it.each([
    '<a href="https://postrider.dev/a?b=1&amp;c=2">Shop</a>',
    '<a href="mailto:help@postrider.dev">Write</a>',
    '<a href="tel:+49301234">Call</a>',
    '<a href="{{unsubscribeUrl}}">Unsubscribe</a>',
    '<a href="{{ plan ?? "https://postrider.dev" }}">Shop</a>',
    '<a href="https://{{plan ?? "www"}}.postrider.dev/">Shop</a>',
    '<a href="https://docs.postrider.dev/x">postrider.dev</a>',
    '<a href="https://postrider.dev">Node.js</a>',
    '<a href="#end">End</a><p id="end">End</p>',
    '<a name="top"></a>',
    '<!-- <a href="">Shop</a> -->',
    '{% comment %}<a href="">Shop</a>{% endcomment %}',
  ])('%s is fine', (html) => expect(ofBody(html)).toEqual([]));
});

describe('images', () => {
  it.each([
    ['<img src="https://postrider.dev/a.png" width="300">', 'The image “a.png” has no alternative text'],
    ['<img src="https://postrider.dev/a.png" alt="" width="300">', 'of the image “a.png” is empty'],
    ['<img src="https://postrider.dev/a.png" alt="A">', 'The image “a.png” has no width attribute'],
    ['<img src="" alt="A" width="30">', 'An image has no source'],
    ['<img src="a.png" alt="A" width="30">', 'The source of the image “a.png” is not a complete address'],
    ['<img src="data:image/png;base64,AA" alt="A" width="30">', 'An image is written into the HTML'],
  ])('%s is found', (html, text) => {
    const all = ofBody(html);
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(text);
  });

  it.each([
    '<img src="{{firstName ?? x}}" alt="A" width="300">',
    '<img src="https://postrider.dev/line.gif" alt="" width="1">',
    '<a href="https://postrider.dev"><img src="https://postrider.dev/a.png" alt="A" width="300"></a>',
  ])('%s is fine', (html) => expect(ofBody(html)).toEqual([]));
});

describe('variables', () => {
  it.each([
    ['{{plan}}', '{{plan}} is empty for contacts without a value'],
    ['{{data.plan}}', '{{plan}} is empty for contacts without a value'],
    ['{{plann ?? free}}', 'No contact has the field “plann”'],
    ['{% if plann == "pro" %}x{% endif %}', 'No contact has the field “plann”'],
    ['{% for order in orders %}{{order.title}}{% endfor %}', 'No contact has the field “orders”'],
    ['{% if plan %}x{% endif %}{{plan}}', '{{plan}} is empty for contacts without a value'],
  ])('%s is found once', (liquid, text) => {
    const all = ofBody(`<p>${liquid} ${liquid}</p>`);
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(text);
  });

  it.each([
    '{{plan ?? free}}',
    '{{ plan | default: "free" | upcase }}',
    '{% if plan %}{{plan}}{% endif %}',
    '{% unless plan == blank %}{{ plan }}{% endunless %}',
    '{% assign tier = plan ?? "free" %}{{tier}}',
    '{{email}} {{manageUrl}} {{locale}} {{firstName ?? there}}',
    '{{"plann"}} {{ 3 | plus: 4 }} {{ true }}',
    '{% raw %}{{plann}}{% endraw %}',
    '{{ data["firstName"] ?? "you" }}',
  ])('%s is fine', (liquid) => expect(ofBody(`<p>${liquid}</p>`)).toEqual([]));

  it('may be keys with dots', () => {
    const known = new Map([
      ['Tel.', 50],
      ['Dr. Who', 50],
    ]);
    const liquid =
      '{{Tel. ?? x}}{{data.Dr. Who ?? x}}{{ data["Dr. Who"] ?? x}}{% if Dr. Who == "x" %}{% endif %}';
    expect(ofBody(liquid, { known })).toEqual([]);
    expect(ofBody('{{Fax. ?? x}}', { known })[0]).toContain('No contact has the field “Fax.”');
  });

  it.each([
    ['{{first_name ?? there}}', 'No contact has the field “first_name”; did you mean {{firstName}}?'],
    [
      '{{Plan ?? free}}',
      'Contacts rather have the field “plan” (100%) than “Plan” (4%); did you mean {{plan}}?',
    ],
  ])('that are spelled like a field that more contacts have are named: %s', (liquid, text) => {
    const known = new Map([
      ['firstName', 87],
      ['plan', 100],
      ['Plan', 4],
    ]);
    expect(ofBody(liquid, { known })).toEqual([text]);
    expect(ofBody('{{plan ?? free}} {{firstName ?? there}}', { known })).toEqual([]);
  });

  it('of greetings are those that contacts have: a first name, or a whole one', () => {
    const news = { subject: 'News' };
    const missing = 'No contact has the field';
    const whole = new Map([['name', 90]]);
    expect(ofBody('{{firstName ?? there}}', { ...news, known: whole })).toEqual([
      `${missing} “firstName”; did you mean {{name}}?`,
    ]);
    expect(ofBody('{{name ?? there}}', { ...news, known: new Map([['firstName', 90]]) })).toEqual([
      `${missing} “name”; did you mean {{firstName}}?`,
    ]);
    const both = new Map([...whole, ['firstName', 40]]);
    expect(ofBody('{{firstName ?? there}} {{name ?? there}}', { ...news, known: both })).toEqual([]);
    expect(ofBody('{{firstName ?? there}}', { ...news, known: new Map() })).toEqual([]);
    // The recipient of a request may have a name.
    const all = found({ ...sent, body: `${filler}{{name ?? there}}` });
    expect(all.filter(({ message }) => message.startsWith(missing))).toEqual([]);
  });

  it('are not called unknown before the fields of the contacts are known', () =>
    expect(ofBody('{{plann ?? free}}', { known: null })).toEqual([]));

  it('come with the request in transactional email, so only a hint is given', () => {
    const all = found({ ...sent, body: `${filler}{{plan}} {{orderId}}` });
    expect(all).toMatchObject([
      { level: 'hint', field: 'body', offset: expect.any(Number), message: expect.stringMatching(/orderId/) },
    ]);
  });

  it('of the subject, the preheader and the text are checked there', () => {
    expect(found({ subject: 'For {{firstName}}' })).toMatchObject([{ field: 'subject', offset: 4 }]);
    expect(found({ preheader: '{{plann ?? x}}' })).toMatchObject([{ field: 'preheader', offset: 0 }]);
    expect(found({ text: 'Hi {{plann ?? x}}' })).toMatchObject([{ field: 'text', offset: 3 }]);
  });

  it.each([
    ['{{plann}}', 'error'],
    ['{{first_name}}', 'error'],
    ['{{plann ?? free}}', 'warning'],
    ['{% if plann %}{{plann}}{% endif %}', 'warning'],
  ])('of a campaign that no contact has: %s is one of the level %s', (liquid, level) => {
    for (const type of ['MARKETING', 'TRANSACTIONAL'] as const)
      expect(found({ source: 'contacts', type, body: filler + liquid })).toMatchObject([
        { rule: 'unknown_variable', level, details: { name: expect.any(String) } },
      ]);
  });
});

describe('the subject and the preheader', () => {
  it.each([
    ['', 'The subject is empty'],
    ['BIG SALE TODAY {{firstName ?? you}}', 'written in capitals'],
    ['Hurry! Only today!', 'many exclamation marks'],
    ['Re: your order', 'begins like an answer'],
  ])('%j is found', (subject, text) => {
    const all = texts({ subject });
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(text);
  });

  it.each(['Welcome!', 'NASA news', '新しいお知らせがあります', '{{firstName ?? "you"}}'])(
    '%j is fine',
    (subject) => expect(texts({ subject })).toEqual([]),
  );

  it('an email should have a preheader', () =>
    expect(found({ preheader: null })).toMatchObject([{ level: 'hint', field: 'preheader' }]));
});

describe('the whole email', () => {
  const image = '<img src="https://postrider.dev/a.png" alt="A" width="600">';

  it.each([
    ['', 'The email is empty'],
    ['<style>p { color: red }</style><p> &nbsp;&shy;</p>', 'The email is empty'],
    ['{% comment %}Hello{% endcomment %}{% assign a = 1 %}', 'The email is empty'],
    ['<head><title>News</title><body><p></p>', 'The email is empty'],
    [image, 'images only and its text part is empty'],
    [`${image}<p>Only today</p>`, 'hardly any text'],
  ])('%s has too little text', (body, text) => {
    const all = texts({ body });
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(text);
  });

  it('is measured as it is sent', () => {
    expect(texts({ rendered: 'x'.repeat(102 * 1024) })).toEqual([]);
    expect(texts({ rendered: 'é'.repeat(52 * 1024) })).toEqual([expect.stringContaining('has 104 kB')]);
  });

  it('can be unsubscribed from when it is marketing', () => {
    expect(found({ type: 'HEADLESS' })).toMatchObject([{ level: 'error', field: 'type' }]);
    expect(ofBody('<a href="{{manageUrl}}">Manage</a>', { type: 'HEADLESS' })).toEqual([]);
    expect(texts(sent)).toEqual([]);
  });

  it('has a postal address when it is marketing, by the same rules as the API', () => {
    expect(found({ address: null })).toMatchObject([
      { level: 'error', field: null, rule: 'postal_address_missing' },
    ]);
    expect(texts({ address: null, ...sent })).toEqual([]);
  });
});

it('errors come before warnings, and warnings before hints', () => {
  const all = found({ subject: 'RE: READ NOW', preheader: '', body: `${filler}<a href="#">Shop</a>` });
  expect(all.map(({ level }) => level)).toEqual(['error', 'warning', 'warning', 'hint']);
});

it('of each rule no more than 100 are named', () => {
  const all = found({ body: filler + '<a href="#">Shop</a><img src="a.png">'.repeat(150) });
  expect(all.filter(({ rule }) => rule === 'link_target')).toHaveLength(100);
  expect(all.filter(({ rule }) => rule === 'image_source')).toHaveLength(100);
});

it('any text can be checked: each finding is inside the text of its field, as one sentence', () => {
  const piece = fc.constantFrom(
    ...[
      '<a href="',
      '">',
      '<img ',
      'src=',
      "'",
      '<',
      '{{',
      '}}',
      '{%',
      '%}',
      'if ',
      'raw',
      '??',
      '|',
      '\n',
      'x',
    ],
  );
  const text = fc
    .array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 30 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (subject, body) => {
      for (const { field, offset, message: sentence } of found({ subject, body })) {
        expect(sentence).toMatch(/^\S[^\n]*\.$/s);
        const texts: Partial<Record<string, string>> = { subject, body, preheader: good.preheader ?? '' };
        expect(offset ?? 0).toBeLessThan(Math.max(1, (texts[field ?? ''] ?? '').length));
      }
    }),
  );
});

it.each([
  '{{',
  '{%',
  '<a ',
  '<a href="',
  '<b>',
  '</b>',
  '{% raw %}',
  '{% if a %}',
  '{{a}}<img>',
  '<a href="https://x.io/',
  '[ "',
  '<!--',
  '&#',
])(
  'a body of %j up to 2,000,000 characters is checked, in a time that grows with its length only',
  (piece) => {
    const body = piece.repeat(2_000_000 / piece.length);
    // In a time that grows with the square of it, this would not end before the timeout.
    expect(found({ body, subject: 'Hi' }).length).toBeGreaterThan(0);
  },
);

it.each([
  ['unclosed elements', '<b>'.repeat(300_000) + '</i>'.repeat(250_000)],
  ['open conditions', '{% if a %}{{b}}'.repeat(130_000)],
  ['a condition of many names', `{% if ${'a and '.repeat(300_000)} b %}x`],
  ['a source of many parts', `<img src="${'a?'.repeat(900_000)}\n">`],
])('%s are checked in such a time', (_what, body) => expect(found({ body }).length).toBeGreaterThan(0));
