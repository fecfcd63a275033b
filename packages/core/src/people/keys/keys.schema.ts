import { z } from 'zod';
import {
  clearable,
  instant,
  isoDate,
  keyScope,
  recordId,
  requiredEnum,
  requiredName,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { domainName } from '../domains/domains.schema.ts';

/** Named keys of a project. */
export const maxNamedKeys = 100;

const projectId = uuid.describe('Id of the project.');

export const listKeysInput = z.object({ id: projectId });

export const deleteKeyInput = z.object({ id: projectId, keyId: uuid.describe('Id of the key.') });

export const createKeyInput = z.object({
  id: projectId,
  name: requiredName(100).meta({
    description: 'Name of the key, 1 to 100 characters; the audit log shows it.',
    examples: ['Newsletter service'],
  }),
  scope: requiredEnum(keyScope).describe(
    'What the key may do: `full` all that the secret key may; `send` sending, verifying addresses and reading one email; `read` reading; `track` the same as the public key; `agent` reading and drafts, while a person agrees to what sends, deletes or changes much.',
  ),
  domains: clearable(z.array(domainName).min(1).max(100)).describe(
    'Domains that `from` may have, of sends, templates and campaigns; null or left out for all.',
  ),
  expiresAt: clearable(instant).describe('When the key stops working; null or left out for never.'),
});

export const namedKey = z
  .object({
    id: recordId.describe('Id of the key.'),
    name: z.string().meta({ description: 'Name of the key.', examples: ['Newsletter service'] }),
    prefix: z.string().meta({
      description: 'The first characters of the key: 11, and of a test project 16.',
      examples: ['sk_4f9d2c71'],
    }),
    scope: keyScope.describe('What the key may do.'),
    domains: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Domains that `from` may have; null for all.', examples: [['mail.example.com']] }),
    lastUsedAt: isoDate
      .nullable()
      .describe('When it was last used, to the minute; null before its first use.'),
    expiresAt: isoDate.nullable().describe('When it stops working; null for never.'),
    createdAt: isoDate.describe('When it was created.'),
  })
  .register(typeNames, { name: 'NamedKey' });

export const namedKeyList = z.array(namedKey);

export const createdKey = namedKey
  .extend({
    key: z.string().meta({
      description: 'The key itself, shown this once.',
      examples: ['sk_4f9d2c71a8e6403b9d52'],
    }),
  })
  .register(typeNames, { name: 'CreatedKey' });
