import { describe, expect, it } from 'vitest';
import { parseInput } from '../../base/kernel/index.ts';
import { sendInput } from './sending.schema.ts';

const mail = { to: 'a@people.test', from: 'b@shop.test', subject: 'S', body: 'B' };

/** Field and code of every refusal of these headers. */
function refusals(headers: Record<string, string>): [string, string][] {
  try {
    parseInput(sendInput, { ...mail, headers });
    return [];
  } catch (error) {
    const { errors } = error as { errors: { field: string; code: string }[] };
    return errors.map(({ field, code }) => [field, code]);
  }
}

describe('headers of a send', () => {
  it.each([
    ...['From', 'TO', 'Cc', 'Bcc', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'DKIM-Signature'],
    ...[
      'Return-Path',
      'Sender',
      'Received',
      'Delivered-To',
      'Authentication-Results',
      'Resent-From',
      'ARC-Seal',
    ],
    ...[
      'Content-Type',
      'Content-Transfer-Encoding',
      'Content-ID',
      'X-Postrider-Email',
      'x-postrider-anything',
    ],
    ...[
      'X-SES-CONFIGURATION-SET',
      'X-SMTPAPI',
      'X-Mailgun-Tag',
      'X-MC-Tags',
      'X-MSYS-API',
      'X-PM-Tag',
      'X-MJ-CustomID',
      'X-SG-EID',
      'X-Sparkpost-Tags',
      'X-ElasticEmail-Settings',
      'X-Smtp-Server',
      'X-Sib-Sandbox',
      'X-Brevo-Tag',
      'X-Resend-Tags',
      'X-Mailjet-Campaign',
      'X-Mandrill-Subaccount',
      'Received-SPF',
      'DomainKey-Signature',
      'X-Google-DKIM-Signature',
    ],
  ])('%s is refused at its field', (name) => {
    expect(refusals({ [name]: 'x' })).toEqual([[`headers.${name}`, 'custom']]);
  });

  it.each(['X-Custom', 'List-Unsubscribe', 'Reply-To', 'X-MCP', 'X-SESSION', 'Receiver', 'Contents'])(
    '%s is taken',
    (name) => {
      expect(refusals({ [name]: 'x' })).toEqual([]);
    },
  );

  it('are at most 50', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-H-${i}`, 'x']));
    expect(refusals(many(50))).toEqual([]);
    expect(refusals(many(51))).toEqual([['headers', 'too_big']]);
  });
});
