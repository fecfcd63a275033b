import { z } from 'zod';
import { regionName } from '../lib/region-name.rules.ts';
import { splitList } from '../lib/split-list.rules.ts';
import { defineProvider } from './provider.rules.ts';
import { type DnsRecord, envelopeHostOf } from './sender-records.rules.ts';

/** The tag that names the email of a message to its notifications: without capital letters and hyphens. */
export const emailIdTag = 'postrider_email';

/** `AWS_REGION` is required with this provider, so the default is that of a configuration which uses another one. */
export const sesRegionOf = ({ AWS_REGION }: { AWS_REGION?: string | undefined }): string =>
  AWS_REGION ?? 'us-east-1';

/** Amazon SES, version 2 of its API. */
export const sesProvider = defineProvider({
  name: 'ses',
  title: 'Amazon SES',
  variables: {
    AWS_REGION: regionName.optional(),
    SES_CONFIGURATION_SET: z
      .string()
      .regex(/^[\w-]{1,64}$/, 'must be the name of a configuration set')
      .optional(),
  },
  required: { AWS_REGION: 'always' },
  routeId: (settings) => `ses:${sesRegionOf(settings)}`,
  server: () => null,
  hasOwnAddresses: true,
  signs: true,
  records({ domain, sesTokens }, settings) {
    const bounces = envelopeHostOf(domain);
    const feedback = `feedback-smtp.${sesRegionOf(settings)}.amazonses.com`;
    return [
      ...sesTokens.map(
        (token): DnsRecord => ({
          type: 'CNAME',
          name: `${token}._domainkey.${domain}`,
          value: `${token}.dkim.amazonses.com`,
          purpose: 'DKIM',
          required: true,
        }),
      ),
      { type: 'MX', name: bounces, value: feedback, priority: 10, purpose: 'MX', required: false },
      {
        type: 'TXT',
        name: bounces,
        value: 'v=spf1 include:amazonses.com ~all',
        purpose: 'SPF',
        required: false,
      },
    ];
  },
  reports: {
    by: 'notifications',
    setting: 'SNS_TOPIC_ARNS',
    areReceived: ({ SNS_TOPIC_ARNS }) => splitList(SNS_TOPIC_ARNS).length > 0,
  },
  // One answer for the envelope and the message together.
  stages: ['request'],
  awsRegion: sesRegionOf,
});
