import { describe, expect, it } from 'vitest';
import type { PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';
import { MAIL_LANGUAGES, type MailLanguage } from '../../base/lib/mail-languages.ts';
import { htmlToText } from '../message/plain-text.ts';
import { renderMail } from './render-mail.ts';

const url = 'https://mail.example.com/p/1?a=1&b=2';
const project = 'Shop <b>&</b> "Co"';
const inviter = 'ann+team@shop.example.com';
const domain = 'shop.example.com';
const endpoint = 'https://hooks.example.com/in?x=<1>';

type Mail = Pick<PlatformMail, 'mail' | 'values'>;

const mails: [name: string, mail: Mail, shown: readonly string[]][] = [
  ['verification', { mail: 'verification', values: {} }, []],
  ['password reset', { mail: 'passwordReset', values: {} }, []],
  ['deletion of an account', { mail: 'accountDeletion', values: {} }, []],
  ['invitation', { mail: 'invitation', values: { project, inviter } }, [project, inviter]],
  ['invitation without a name', { mail: 'invitation', values: { project: null, inviter } }, [inviter]],
  ...(['PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'MANUAL'] as const).map(
    (reason): [string, Mail, string[]] => [
      `disabled: ${reason}`,
      { mail: 'projectDisabled', values: { project, reason } },
      [project],
    ],
  ),
  ['enabled', { mail: 'projectEnabled', values: { project } }, [project]],
  ['domain verified', { mail: 'domainVerified', values: { domain } }, [domain]],
  [
    'finding',
    {
      mail: 'findingFailed',
      values: {
        check: 'postgres.disk',
        found: '4 % are free',
        cause: 'Much was stored',
        action: 'Make room',
      },
    },
    ['postgres.disk', '4 % are free', 'Much was stored', 'Make room'],
  ],
  ['domain lost', { mail: 'domainLost', values: { domain } }, [domain]],
  ['domain added elsewhere', { mail: 'domainAddedElsewhere', values: { domain } }, [domain]],
  ...(['GONE', 'FAILING'] as const).map((reason): [string, Mail, string[]] => [
    `endpoint disabled: ${reason}`,
    { mail: 'endpointDisabled', values: { project, url: endpoint, reason } },
    [endpoint],
  ]),
  ...(['blocked', 'authentication', 'content'] as const).map((refusal): [string, Mail, string[]] => [
    `refusals: ${refusal}`,
    { mail: 'emailRefused', values: { project, refusal, count: 2345 } },
    [project, '2345'],
  ]),
  ...(['guard_bounces', 'guard_complaints', 'guard_unsubscribes', 'forgotten'] as const).map(
    (reason): [string, Mail, string[]] => [
      `campaign paused: ${reason}`,
      { mail: 'campaignPaused', values: { project, campaign: 'Spring', reason, sent: 213, total: 4982 } },
      [project, 'Spring', '213', '4982'],
    ],
  ),
  [
    'approval of a campaign',
    { mail: 'campaignApprovalRequested', values: { project, campaign: 'Spring' } },
    [project, 'Spring'],
  ],
  ...[false, true].map((isMismatch): [string, Mail, string[]] => [
    `a test that waits, mismatch: ${isMismatch}`,
    { mail: 'testUndecided', values: { project, campaign: 'Spring', isMismatch } },
    [project, 'Spring'],
  ]),
  ['reports without a proof', { mail: 'reportsUnproven', values: { project } }, [project]],
  ...([80, 100] as const).map((percent): [string, Mail, string[]] => [
    `${percent} % of the storage limit`,
    { mail: 'storageLimit', values: { percent, used: 810, limit: 999 } },
    ['810 MB', '999 MB'],
  ]),
  ['render limit', { mail: 'renderLimit', values: { subject: project, isThird: false } }, [project]],
  ['third render limit', { mail: 'renderLimit', values: { subject: project, isThird: true } }, [project]],
];

const render = (mail: Mail, language: MailLanguage) =>
  renderMail({ to: { email: 'user@example.com', language }, url, ...mail } as PlatformMail);

describe.each(MAIL_LANGUAGES)('in %s', (language) => {
  it.each(mails)(
    '%s has its texts and values, escaped, in a document of that language',
    (_name, mail, shown) => {
      const { subject, html } = render(mail, language);
      expect(subject.trim()).not.toBe('');
      expect(html).toContain(`<html lang="${language}" dir="ltr">`);
      expect(html).toMatch(/<title>[^<]+<\/title>/);
      expect(html).not.toContain('<b>');
      expect(`${subject}${html}`).not.toMatch(/undefined|\bnull\b|\$\{|\{\w+\}|\[object/);
      const text = htmlToText(html);
      for (const value of shown) expect(text).toContain(value);
      expect(text).toContain(url);
    },
  );

  it('has the same parts as in English, and no text in English', () => {
    for (const [, mail] of mails) {
      const own = render(mail, language);
      const english = render(mail, 'en');
      const parts = (html: string) => html.match(/<(?:p|h1|a)\b/g)?.length;
      expect(parts(own.html)).toBe(parts(english.html));
      if (language !== 'en') expect(own.subject).not.toBe(english.subject);
    }
  });
});

it('the button leads to the same address as the link below it, and nothing is loaded from elsewhere', () => {
  const { html } = render({ mail: 'verification', values: {} }, 'en');
  expect(html.match(/href="[^"]*"/g)).toEqual(
    Array(2).fill('href="https://mail.example.com/p/1?a=1&amp;b=2"'),
  );
  expect(html).not.toMatch(/<img|<link|<script|url\(/);
});
