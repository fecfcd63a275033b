import fc from '@postrider/vitest/fast-check.ts';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { type MessageContent, prepareMessage } from './index.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

const now = new Date('2026-03-01T09:30:00.000Z');

const words = fc.string({
  unit: fc.constantFrom(
    'a',
    'b ',
    ' ',
    '\n',
    '\r\n',
    '\r',
    '\t',
    '.',
    '=',
    'é',
    '😀',
    '\u00a0',
    '漢',
    '&lt;',
    '-',
    '> ',
    '\u200b',
    '&nbsp;&zwnj;',
    '&shy;',
    '\u0001',
  ),
  maxLength: 30,
});
const long = fc.constantFrom('x'.repeat(80), 'lorem ipsum '.repeat(20), 'é'.repeat(60), '='.repeat(90));
const slot = fc.constantFrom(
  '{{a}}',
  '{{b ?? "you & me"}}',
  '{{ list }}',
  '{{missing}}',
  '{{missing ?? there}}',
  '{{unsubscribeUrl}}',
  '{{first name}}',
);
const text = fc.oneof(
  { weight: 3, arbitrary: words },
  { weight: 2, arbitrary: slot },
  { weight: 1, arbitrary: long },
);
const inner = fc.array(text, { maxLength: 5 }).map((parts) => parts.join(''));
const element = fc.tuple(
  fc.constantFrom(
    (s: string) => `<p>${s}</p>`,
    (s: string) => `<div>${s}</div>\n`,
    (s: string) => `<ul><li>${s}</li><li>x${s}</li></ul>`,
    (s: string) => `<ol><li>one</li><li>${s}</li></ol>`,
    (s: string) => `<a href="https://x.example/?a=1&amp;b=2">${s}</a>`,
    (s: string) => `<a href='https://y.example/'>${s}</a> <A HREF=https://y.example/z>${s}</A>`,
    (s: string) => `<a href="https://y.example/">https://y.example/</a>${s}`,
    (s: string) => `<a href="{{manageUrl}}">${s}</a>`,
    (s: string) => `<a href="mailto:kim@example.org">${s}</a>`,
    (s: string) => `<pre>${s}</pre>`,
    (s: string) => `<a href="https://y.example/i"><img src="i" alt="">${s}</a>`,
    (s: string) => `${s}<a href="https://y.example/j"><img src="j"></a>${s}`,
    (s: string) => `<a href="https://y.example/k"><img src="k" alt="K">${s}</a>`,
    (s: string) => `<div style="display:none">${s}</div>${s}<p hidden>x<p>${s}`,
    (s: string) => `<div style="font-size:0;line-height:0">${s}<b style="font-size:9px">${s}</b></div>`,
    (s: string) => `<ol reversed><li>${s}<li type="a">x</ol><ol start="3" type="I"><li>${s}</ol>`,
    (s: string) => `<table><tr><td>${s}</td><td>2</td></tr><tr><th>${s}</th></tr></table>`,
    (s: string) => `<table><tr><td><p>${s}</p></td><td><p>${s}</p><td><pre>${s}</pre><td><p>2</table>`,
    (s: string) =>
      `<table><tr><td>${s}<td><a href="https://y.example/c"><p>${s}</p><p>${s}</p></a><td><div>${s}</table>`,
    (s: string) => `<title>${s}</title>${s}<br><br>${s}<br/>`,
    (s: string) => `<h1>${s}</h1><hr><img src="a.png" alt="pic">${s}`,
    (s: string) => `<b>${s}</b><!-- note --><i> ${s}</i>`,
    (s: string) => s,
  ),
  inner,
);
const body = fc
  .array(
    element.map(([wrap, content]) => wrap(content)),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const html = fc
  .tuple(body, fc.constantFrom('plain', 'document', 'open'))
  .map(([content, kind]) =>
    kind === 'plain'
      ? content
      : kind === 'open'
        ? `<html>${content}`
        : `<html><body>\n${content}</body></html>\n`,
  );

/** A body that is text. */
const textBody = fc
  .array(fc.oneof(slot, fc.constantFrom('a', 'b < c & d', '\n', '\r\n', '\n\n', ' \n \n', '\u00a0', '  ')), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(
      ' ',
      '\n',
      '\r',
      '\t',
      '<',
      '>',
      '&',
      '"',
      "'",
      'a',
      '=',
      'é',
      '\ud800',
      '😀',
      '\u00a0',
      ';',
      'lt',
      '></p><p>',
      '.',
      '\u200b',
      '\u00ad',
      '\u0001',
    ),
    maxLength: 40,
  }),
  fc.constantFrom('', ' ', 'x'.repeat(200), 'https://y.example/', 'kim@example.org', 0, false, null, true, {
    a: '<',
  }),
  fc.array(fc.string(), { maxLength: 3 }),
);
const data = fc.record({
  a: value,
  b: value,
  list: fc.array(fc.string(), { maxLength: 3 }),
  'first name': value,
});

const content: fc.Arbitrary<Partial<MessageContent>> = fc.record({
  body: fc.oneof({ weight: 5, arbitrary: html }, { weight: 1, arbitrary: textBody }),
  preheader: fc.constantFrom(null, 'News', 'For {{a}} & {{b ?? x}}', '{% if a %}Yes{% endif %}'),
  subject: fc.constantFrom('Hello', 'Hi {{a}}', '{{b ?? x}} and {{list}}'),
  type: fc.constantFrom('TRANSACTIONAL', 'MARKETING', 'HEADLESS'),
  sourceType: fc.constantFrom('TRANSACTIONAL', 'CAMPAIGN', 'TEST'),
  tracking: fc.boolean(),
  utm: fc.constantFrom(
    null,
    { hosts: ['y.example'], source: 's', medium: 'm', campaign: 'c' },
    { hosts: ['example'], source: 's', medium: 'm', campaign: 'c', content: 'B' },
  ),
  projectName: fc.constantFrom('Shop', 'A & <B> $& 漢'),
});
const locale = fc.constantFrom(null, 'ja', 'nl-BE');

/** A message with its two parts decoded from quoted-printable (RFC 2045 6.7). */
function decoded(mime: Buffer): string[] {
  const [head = '', ...rest] = mime.toString('latin1').split('\r\n\r\n');
  const [, boundary = ''] = /boundary="([^"]*)"/.exec(head) ?? [];
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`);
  return [
    head,
    ...parts.map((part) =>
      Buffer.from(
        part
          .replaceAll('=\r\n', '')
          .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString('utf8'),
    ),
  ];
}

test('a compiled message decodes to the rendered one', () => {
  let flat = 0;
  fc.assert(
    fc.property(content, data, locale, (given, vars, language) => {
      const filled = prepareMessage(makeContent(given), testLinks);
      const rendered = prepareMessage(makeContent(given), testLinks, { neverFlat: true });
      expect(rendered.isFlat).toBe(false);
      expect(rendered.linkTable).toEqual(filled.linkTable);
      if (filled.isFlat) flat++;
      const recipient = makeRecipient(vars, { locale: language });
      const [one, other] = [filled.compose(recipient, now), rendered.compose(recipient, now)];
      expect(decoded(one.mime)).toEqual(decoded(other.mime));
      expect(one.subject).toBe(other.subject);
    }),
    { numRuns: 1_000 },
  );
  // Most of the generated contents are flat; otherwise the test could pass by comparing rendering with itself.
  expect(flat).toBeGreaterThan(500);
});

test('one compiled content gives every recipient the message of its own values', () => {
  fc.assert(
    fc.property(content, fc.array(data, { maxLength: 6 }), (given, all) => {
      const filled = prepareMessage(makeContent(given), testLinks);
      const rendered = prepareMessage(makeContent(given), testLinks, { neverFlat: true });
      for (const vars of all) {
        const recipient = makeRecipient(vars);
        expect(decoded(filled.compose(recipient, now).mime)).toEqual(
          decoded(rendered.compose(recipient, now).mime),
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('values of any script and length are filled in as they are rendered', () => {
  const words = fc.string({
    unit: fc.constantFrom('a', 'é', '漢', 'ש', '\u202e', '😀', '.', '=', '&', '<', ' ', '-', 'x'.repeat(90)),
  });
  fc.assert(
    fc.property(content, words, words, (given, a, b) => {
      const filled = prepareMessage(makeContent(given), testLinks);
      const rendered = prepareMessage(makeContent(given), testLinks, { neverFlat: true });
      const recipient = makeRecipient({ a, b, 'first name': `${a}${b}`, list: [a, b] });
      expect(decoded(filled.compose(recipient, now).mime)).toEqual(
        decoded(rendered.compose(recipient, now).mime),
      );
    }),
    { numRuns: 300 },
  );
});

test('a CRLF whose halves come from the template and a value is one line end', () => {
  const given = makeContent({ body: '<pre>{{b}}\n</pre>{{b}}\nx' });
  const recipient = makeRecipient({ b: '\r' });
  const rendered = prepareMessage(given, testLinks, { neverFlat: true });
  expect(prepareMessage(given, testLinks).compose(recipient, now)).toEqual(rendered.compose(recipient, now));
});

test('no line begins with a dot or is longer than 76 characters after the headers', () => {
  fc.assert(
    fc.property(content, data, (given, vars) => {
      const { mime } = prepareMessage(makeContent(given), testLinks).compose(makeRecipient(vars), now);
      const [, ...rest] = mime.toString('latin1').split('\r\n\r\n');
      for (const line of rest.join('\r\n\r\n').split('\r\n'))
        expect(line).toMatch(/^(?!\.).{0,76}(?<![ \t])$/);
    }),
    { numRuns: 300 },
  );
});

test('every message can be parsed and has lines of at most 998 characters', async () => {
  await fc.assert(
    fc.asyncProperty(content, data, async (given, vars) => {
      const prepared = prepareMessage(makeContent({ ...given, tracking: false }), testLinks);
      const recipient = makeRecipient(vars);
      const { mime } = prepared.compose(recipient, now);
      expect(
        mime
          .toString('latin1')
          .split('\r\n')
          .every((line) => line.length <= 998 && !/[\r\n]/.test(line)),
      ).toBe(true);
      const email = await PostalMime.parse(mime);
      const preview = prepared.preview(recipient);
      expect(lines(email.html ?? '')).toBe(lines(preview.html ?? ''));
      expect(lines(email.text ?? '')).toBe(lines(preview.text));
    }),
    { numRuns: 300 },
  );
});

function lines(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(/\n+$/, '');
}
