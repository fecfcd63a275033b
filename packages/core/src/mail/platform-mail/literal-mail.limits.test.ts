import { expect, it } from 'vitest';
import type { PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';
import { MAIL_LANGUAGES } from '../../base/lib/mail-languages.ts';
import { nameForStrangers } from '../../people/members/project-name.rules.ts';
import { prepareMessage } from '../message/index.ts';
import { makeContent, makeRecipient, testLinks } from '../message/prepare-message.fixtures.ts';
import { renderMail } from './render-mail.ts';

/** Spellings that mean something to the template language, or nearly: with and without blanks, dashes and ends, nested and broken. */
function templateSpellings(): string[] {
  const opens = ['{{', '{{-', '{{ ', '{%', '{%-', '{% ', '{ {', '{{{', '{%%', '{#'];
  const closes = ['}}', '-}}', ' }}', '%}', '-%}', ' %}', '} }', '}}}', ''];
  const inner = [
    'email',
    '"<a href=//evil.test><h1>Pay now</h1></a>" | raw',
    'email | upcase',
    'raw',
    'endraw',
    'for i in (1..1000000)',
    'endfor',
    'if true',
    'comment',
    'include "x"',
    'email ?? "x"',
    'unsubscribeUrl',
    '<!--',
    '"',
    "'",
    '&lt;b&gt;',
    '<script>alert(1)</script>',
    '\ue000',
    '=?utf-8?q?x?=',
    '100% {',
    'é ',
  ];
  const single = opens.flatMap((open) => closes.flatMap((close) => inner.map((text) => open + text + close)));
  const escapes = single.slice(0, 200).map((text) => `{%endraw%}${text}{%raw%}`);
  return [...single, ...escapes].map((text) => `a ${text} z`);
}

const spellings = templateSpellings();

/** Every email with a name, an address on the web or a text of others in it. */
const mailsWith = (text: string): [Pick<PlatformMail, 'mail' | 'values'>, ...string[]][] => [
  [
    { mail: 'invitation', values: { project: nameForStrangers(text), inviter: 'ann@shop.test' } },
    'ann@shop.test',
  ],
  [{ mail: 'projectDisabled', values: { project: text, reason: 'MANUAL' } }, text],
  [{ mail: 'projectEnabled', values: { project: text } }, text],
  [{ mail: 'domainVerified', values: { domain: text } }, text],
  [{ mail: 'domainLost', values: { domain: text } }, text],
  [{ mail: 'domainAddedElsewhere', values: { domain: text } }, text],
  [{ mail: 'endpointDisabled', values: { project: text, url: `https://${text}`, reason: 'GONE' } }, text],
  [{ mail: 'findingFailed', values: { check: 'a', found: text, cause: '', action: '' } }, text],
  [{ mail: 'renderLimit', values: { subject: text, isThird: true } }, text],
];

/** Blanks at the ends and in a row are one blank where text is shown. */
const shown = (text: string): string => text.replaceAll(/\s+/g, ' ');
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

it.each(MAIL_LANGUAGES)(
  '%s: 2,000 spellings of templates arrive as written in every email of the platform',
  (language) => {
    expect(spellings.length).toBeGreaterThanOrEqual(2_000);
    // Each spelling in one email of each language; each email gets an eighth of them, others in the next language.
    const wrong: string[] = [];
    for (const [index, spelling] of spellings.entries()) {
      const mails = mailsWith(spelling);
      const chosen = mails[(index + MAIL_LANGUAGES.indexOf(language)) % mails.length];
      if (!chosen) throw new Error('no email');
      const [mail, expected = ''] = chosen;
      const url = `https://dashboard.test/?next=${spelling}`;
      const given = renderMail({ to: { email: 'user@people.test', language }, url, ...mail } as PlatformMail);
      const content = makeContent({
        subject: given.subject,
        body: given.html,
        literal: true,
        sourceType: 'SYSTEM',
        language,
      });
      const { subject, html, text } = prepareMessage(content, testLinks).preview(makeRecipient());
      const parts = [
        html?.includes(escaped(expected)),
        html?.includes(escaped(url)),
        shown(text).includes(shown(expected)),
      ];
      if (html !== given.html || shown(subject) !== shown(given.subject) || parts.includes(false))
        wrong.push(`${mail.mail}: ${spelling}`);
    }
    expect(wrong).toEqual([]);
  },
);

it('a literal content has a literal preheader, and no place of it is a template', () => {
  const content = makeContent({
    subject: '{{email}}',
    preheader: '{% if %}<b>',
    body: '<body><p>{{email}}</p>',
    literal: true,
  });
  const { subject, preheader, html, text, limited } = prepareMessage(content, testLinks).preview(
    makeRecipient(),
  );
  expect([subject, preheader, limited]).toEqual(['{{email}}', '{% if %}<b>', false]);
  expect(html).toContain('{% if %}&lt;b&gt;');
  expect(html?.indexOf('{% if %}')).toBeGreaterThan(html?.indexOf('<body>') ?? Number.NaN);
  expect(text.trim()).toBe('{{email}}');
});
