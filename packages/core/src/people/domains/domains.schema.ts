import { z } from 'zod';
import { isoDate, namedEnum, notGiven, recordId, typeNames, uuid } from '../../base/kernel/schemas.ts';
import { toHostName } from '../../base/lib/host-name.rules.ts';

export const domainName = z
  .string()
  .trim()
  .refine((value) => value !== '', { params: { code: 'required' }, message: 'Required', abort: true })
  .refine((value) => value.length >= 3, {
    params: { code: 'too_small' },
    message: 'At least 3 characters',
    abort: true,
  })
  .refine((value) => value.length <= 253, {
    params: { code: 'too_big' },
    message: 'At most 253 characters',
    abort: true,
  })
  .transform((value, ctx) => {
    const name = toHostName(value);
    if (name !== null) return name;
    ctx.addIssue({
      code: 'custom',
      params: { code: 'invalid_string' },
      message: 'Must be a host name such as mail.example.com, without scheme, port or trailing dot',
      input: value,
    });
    return z.NEVER;
  })
  .meta({
    description: 'Host name to send from, 3 to 253 characters, international names in punycode.',
    examples: ['mail.example.com'],
    minLength: 3,
    maxLength: 253,
    pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$',
  });

export const createDomainInput = z.object({
  domain: domainName,
  projectId: notGiven(uuid).describe(
    'Id of the project. Default that of the request; another one is refused.',
  ),
});
export const listDomainsInput = z.object({ projectId: notGiven(uuid).describe('Id of the project.') });
export const domainIdInput = z.object({ id: uuid.describe('Id of the domain.') });

const recordOutput = z.object({
  type: namedEnum('DomainRecordType', ['TXT', 'CNAME', 'MX']).describe('Type of the DNS record.'),
  name: z
    .string()
    .meta({ description: 'Name of the record.', examples: ['postrider._domainkey.mail.example.com'] }),
  value: z
    .string()
    .meta({ description: 'Value of the record.', examples: ['v=DKIM1; k=rsa; p=MIIBIjANBgkq'] }),
  priority: z
    .int()
    .optional()
    .meta({ description: 'Priority of an MX record.', examples: [10] }),
  purpose: namedEnum('DomainRecordPurpose', ['DKIM', 'SPF', 'MX', 'DMARC']).describe(
    'What the record is for.',
  ),
  required: z.boolean().describe('Whether verification needs the record.'),
  found: z.boolean().nullable().describe('Whether the last check found it; null before the first.'),
});

export const domainOutput = z
  .object({
    id: recordId.describe('Id of the domain.'),
    projectId: recordId.describe('Id of the project.'),
    domain: z.string().meta({ description: 'Host name, in lower case.', examples: ['mail.example.com'] }),
    status: namedEnum('DomainStatus', ['PENDING', 'VERIFIED', 'FAILED']).describe('State of verification.'),
    verified: z.boolean().describe('Whether mail can be sent from it.'),
    records: z.array(recordOutput).describe('DNS records to create.'),
    lastCheckedAt: isoDate.nullable().describe('When DNS was last checked; null before the first check.'),
    verifiedAt: isoDate.nullable().describe('When the domain was verified; null until then.'),
    verifiedBy: namedEnum('DomainVerifier', ['DNS', 'LOCAL_MAILBOX', 'TEST'])
      .nullable()
      .describe(
        'What verified it: its DNS records; or, without any, the local mailbox of a development installation, or its test project. Null until then.',
      ),
    createdAt: isoDate.describe('When the domain was added.'),
    updatedAt: isoDate.describe('When the domain last changed.'),
  })
  .describe('A sending domain.')
  .register(typeNames, { name: 'Domain' });

export type DomainOutput = z.input<typeof domainOutput>;
export const domainListOutput = z.array(domainOutput);
