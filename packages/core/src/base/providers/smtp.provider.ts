import { z } from 'zod';
import { splitList } from '../lib/split-list.rules.ts';
import { defineProvider } from './provider.rules.ts';
import { type DnsRecord, envelopeHostOf } from './sender-records.rules.ts';

const isAddress = (host: string): boolean => host.includes(':') || /^\d+(\.\d+){3}$/.test(host);

/** Any mail server that speaks SMTP. */
export const smtpProvider = defineProvider({
  name: 'smtp',
  title: 'the mail server',
  variables: {
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// URL')
      .default('smtp://127.0.0.1:1025'),
  },
  required: { SMTP_URL: 'in production' },
  routeId({ SMTP_URL }) {
    const { protocol, host } = new URL(SMTP_URL);
    return `${protocol}//${host}`;
  },
  server: ({ SMTP_URL }) => new URL(SMTP_URL),
  hasOwnAddresses: false,
  signs: false,
  records({ domain, selector, publicKey }, { MAIL_HOST }) {
    const dkim: DnsRecord = {
      type: 'TXT',
      name: `${selector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${publicKey}`,
      purpose: 'DKIM',
      required: true,
    };
    if (MAIL_HOST === 'localhost' || isAddress(MAIL_HOST)) return [dkim];
    const bounces = envelopeHostOf(domain);
    return [
      dkim,
      { type: 'TXT', name: bounces, value: `v=spf1 a:${MAIL_HOST} ~all`, purpose: 'SPF', required: false },
      { type: 'MX', name: bounces, value: MAIL_HOST, priority: 10, purpose: 'MX', required: false },
    ];
  },
  reports: {
    by: 'messages',
    setting: 'BOUNCE_PORT',
    // The server may be the SMTP service of Amazon SES, which notifies topics.
    areReceived: ({ BOUNCE_PORT, SNS_TOPIC_ARNS }) =>
      BOUNCE_PORT !== undefined || splitList(SNS_TOPIC_ARNS).length > 0,
  },
  stages: ['mail', 'rcpt', 'data', 'final'],
});
