import { z } from 'zod';
import { isoDate, namedEnum, notGiven, typeNames, uuid } from '../kernel/schemas.ts';
import { toHostName } from './host-name.rules.ts';

const domainName = z
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
  .meta({ minLength: 3, maxLength: 253 });

export const createDomainInput = z.object({ domain: domainName, projectId: notGiven(uuid) });
export const listDomainsInput = z.object({ projectId: notGiven(uuid) });
export const domainIdInput = z.object({ id: uuid });

const recordOutput = z.object({
  type: namedEnum('DomainRecordType', ['TXT', 'CNAME', 'MX']),
  name: z.string(),
  value: z.string(),
  priority: z.int().optional(),
  purpose: namedEnum('DomainRecordPurpose', ['DKIM', 'SPF', 'MX', 'DMARC']),
  required: z.boolean(),
  found: z.boolean().nullable(),
});

export const domainOutput = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    domain: z.string(),
    status: namedEnum('DomainStatus', ['PENDING', 'VERIFIED', 'FAILED']),
    verified: z.boolean(),
    records: z.array(recordOutput),
    lastCheckedAt: isoDate.nullable(),
    verifiedAt: isoDate.nullable(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .register(typeNames, { name: 'Domain' });

export type DomainOutput = z.input<typeof domainOutput>;
export const domainListOutput = z.array(domainOutput);
