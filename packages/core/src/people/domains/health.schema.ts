import { z } from 'zod';
import { isoDate, namedEnum, recordId, typeNames } from '../../base/kernel/schemas.ts';

export const domainCheckStatus = namedEnum('DomainCheckStatus', ['ok', 'warn', 'fail', 'unknown']);
export type DomainCheckStatus = z.infer<typeof domainCheckStatus>;

const statusMeaning =
  '`ok`: nothing to object to; `warn`: some receivers object; `fail`: strict receivers reject or distrust the email; `unknown`: it could not be checked.';

const domainCheck = z
  .object({
    name: namedEnum('DomainCheckName', ['DKIM', 'SPF', 'DMARC', 'MX', 'REVERSE_DNS', 'TLS']).describe(
      'What was checked.',
    ),
    status: domainCheckStatus.describe(statusMeaning),
    host: z
      .string()
      .nullable()
      .meta({
        description: 'The name that was looked up; null for a check that needs no lookup.',
        examples: ['_dmarc.mail.example.com'],
      }),
    found: z
      .array(z.string())
      .meta({ description: 'The values found there, at most 10.', examples: [['v=DMARC1; p=none']] }),
    wanted: z
      .string()
      .nullable()
      .meta({
        description: 'A value that passes the check; null where it cannot be known.',
        examples: ['v=DMARC1; p=none'],
      }),
    advice: z.string().meta({
      description: 'What was found and what to do, in one sentence.',
      examples: [
        'Large providers accept the record; add a reports address (rua), so that you see who sends email in your name.',
      ],
    }),
  })
  .register(typeNames, { name: 'DomainCheck' });
export type DomainCheck = z.output<typeof domainCheck>;

export const domainHealthOutput = z
  .object({
    domainId: recordId.describe('Id of the domain.'),
    domain: z.string().meta({ description: 'Host name of the domain.', examples: ['mail.example.com'] }),
    status: domainCheckStatus.describe(`The worst status of the checks. ${statusMeaning}`),
    checkedAt: isoDate.describe('When the checks ran.'),
    zone: z
      .object({
        name: z.string().meta({ description: 'Name of the zone.', examples: ['example.com'] }),
        nameServers: z
          .array(z.string())
          .meta({ description: 'Its name servers, at most 10.', examples: [['ns1.example.net']] }),
      })
      .register(typeNames, { name: 'DnsZone' })
      .nullable()
      .describe('The DNS zone that the records belong in; null when it was not found.'),
    checks: z.array(domainCheck).describe('The checks, those of the signature first.'),
  })
  .describe('What a strict receiver would object to in email from a domain.')
  .register(typeNames, { name: 'DomainHealth' });
