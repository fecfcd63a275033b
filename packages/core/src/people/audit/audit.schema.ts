import { z } from 'zod';
import {
  cursorListOf,
  cursorQuery,
  isoDate,
  namedEnum,
  notGiven,
  periodBound,
  recordId,
  uuid,
} from '../../base/kernel/schemas.ts';
import { typeNames } from '../../base/kernel/type-names.ts';

export const actorType = namedEnum('AuditActorType', ['user', 'key', 'system']);

export const auditListInput = z.object({
  ...cursorQuery,
  operation: notGiven(z.string()).meta({
    description: 'Only entries of this operation, by its registry name.',
    examples: ['templates.create'],
  }),
  actorId: notGiven(uuid).describe('Only entries of this user or named key.'),
  targetId: notGiven(z.string()).meta({
    description: 'Only entries about this record.',
    examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
  }),
  from: notGiven(periodBound).describe('Only entries at or after this time, or from this day on.'),
  to: notGiven(periodBound).describe('Only entries before this time, or until the end of this day.'),
});

/** Who did something. */
export const auditActor = z
  .object({
    type: actorType.describe('What acted.'),
    id: recordId
      .nullable()
      .describe(
        'Id of the user or the named key; null for the keys of the project itself and for Postrider.',
      ),
    label: z.string().meta({
      description: 'Address of the user, name of the key, or the kind of actor.',
      examples: ['jane@example.com'],
    }),
  })
  .register(typeNames, { name: 'AuditActor' });

export const auditEntry = z
  .object({
    id: recordId.describe('Id of the entry.'),
    operation: z
      .string()
      .meta({ description: 'Registry name of the operation.', examples: ['templates.create'] }),
    actor: auditActor.describe('Who did it.'),
    targetType: z
      .string()
      .nullable()
      .meta({ description: 'Kind of the record.', examples: ['template'] }),
    targetId: z
      .string()
      .nullable()
      .meta({ description: 'Id of the record.', examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] }),
    targetName: z
      .string()
      .nullable()
      .meta({
        description:
          'Name of the record as it is now, or as it was removed: of contacts and members their address. Null where it has none, and for contacts that are gone.',
        examples: ['Welcome'],
      }),
    changed: z
      .array(z.string())
      .meta({ description: 'Names of the fields that changed, never their values.', examples: [['name']] }),
    ip: z
      .string()
      .nullable()
      .meta({ description: 'Address of the client.', examples: ['203.0.113.7'] }),
    requestId: z.string().meta({ description: 'Id of the request.', examples: ['req-1f'] }),
    createdAt: isoDate.describe('When it happened.'),
  })
  .register(typeNames, { name: 'AuditEntry' });

export const auditList = cursorListOf(auditEntry);
