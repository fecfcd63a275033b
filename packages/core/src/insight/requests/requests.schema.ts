import { z } from 'zod';
import {
  cursorListOf,
  cursorQuery,
  isoDate,
  namedEnum,
  notGiven,
  periodBound,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';

export const requestDoor = namedEnum('RequestDoor', ['REST', 'GRAPHQL', 'SMTP', 'MCP']);
export type RequestDoor = z.output<typeof requestDoor>;

const keyType = namedEnum('RequestCredentialType', ['secret', 'public']);

/** A class of status, or one. */
const statusFilter = z
  .string()
  .regex(/^[2-5](?:xx|\d\d)$/, 'Must be a class such as 4xx, or a status such as 422')
  .transform((text) => {
    const first = Number(text[0]) * 100;
    return text.endsWith('xx') ? { from: first, to: first + 99 } : { from: Number(text), to: Number(text) };
  });

export const listRequestsInput = z.object({
  ...cursorQuery,
  status: notGiven(statusFilter).meta({
    description: 'Only requests with this status, `422`, or one of this class, `4xx`.',
    type: 'string',
    examples: ['4xx'],
  }),
  code: notGiven(z.string().max(100)).meta({
    description: 'Only requests that were refused with this code.',
    examples: ['VALIDATION_ERROR'],
  }),
  operation: notGiven(z.string().max(100)).meta({
    description: 'Only requests of this operation, by its registry name.',
    examples: ['sending.send'],
  }),
  keyId: notGiven(uuid).describe('Only requests with this named key.'),
  emailId: notGiven(uuid).describe('Only requests that made this email, or asked for it.'),
  from: notGiven(periodBound).describe('Only requests at or after this time, or from this day on.'),
  to: notGiven(periodBound).describe('Only requests before this time, or until the end of this day.'),
});

export const getRequestInput = z.object({ id: uuid.describe('Id of the entry.') });

export const requestStatsInput = z.object({
  from: notGiven(periodBound).describe(
    'Counts from this time or day on. Default 24 hours before the end of the period.',
  ),
  to: notGiven(periodBound).describe(
    'Counts before this time, or until the end of this day. Default now. At most 7 days after the beginning.',
  ),
});

const operationName = z.string().meta({ examples: ['sending.send'] });
const errorCode = z.string().meta({ examples: ['VALIDATION_ERROR'] });
const shown = z.record(z.string(), z.unknown()).nullable();

export const requestEntry = z
  .object({
    id: recordId.describe('Id of the entry.'),
    at: isoDate.describe('When the request was answered.'),
    door: requestDoor.describe('The interface that it came by.'),
    method: z
      .string()
      .meta({ description: 'HTTP method; `DATA` for a submitted message.', examples: ['POST'] }),
    path: z.string().meta({
      description: 'The path, with the names of its parameters; `smtp` for a submitted message.',
      examples: ['/contacts/:id'],
    }),
    operation: operationName
      .nullable()
      .describe(
        'Registry name of the operation; null where the request names none. Of several in one request the first that failed.',
      ),
    status: z.int().meta({
      description: 'HTTP status; for GraphQL and SMTP that of the same answer in REST.',
      examples: [422],
    }),
    code: errorCode.nullable().describe('Code of the error; null for an accepted request.'),
    durationMs: z
      .int()
      .min(0)
      .meta({ description: 'Time to the end of the answer in milliseconds.', examples: [12] }),
    credential: z
      .object({
        type: keyType.describe('Kind of the key.'),
        id: recordId.nullable().describe('Id of the named key; null for the keys of the project itself.'),
        label: z.string().meta({ description: 'Name of the key, or its kind.', examples: ['Secret key'] }),
        prefix: z
          .string()
          .meta({ description: 'First 11 characters of the key.', examples: ['sk_4f9d2c71'] }),
      })
      .register(typeNames, { name: 'RequestCredential' })
      .describe('The key that the request was made with.'),
    ip: z
      .string()
      .nullable()
      .meta({ description: 'Address of the client.', examples: ['203.0.113.7'] }),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: 'Its name for itself, at most 200 characters.', examples: ['curl/8.9.1'] }),
    requestId: z.string().meta({ description: 'Id of the request, as in its reply.', examples: ['req-1f'] }),
    dryRun: z
      .boolean()
      .meta({ description: 'Whether it was undone after it was carried out.', examples: [false] }),
    request: shown.meta({
      description:
        'What was given, redacted: a text is its length, an address its first letter and domain. Null where nothing was read.',
      examples: [{ to: 'c…@example.com', subject: { length: 24 }, template: null }],
    }),
    response: shown.meta({
      description: 'The error with its fields, or the ids in the reply.',
      examples: [{ code: 'VALIDATION_ERROR', errors: [{ field: 'subject', code: 'too_big' }] }],
    }),
    emailIds: z.array(recordId).describe('Emails that it made or asked for, at most 10.'),
    alike: z
      .int()
      .min(0)
      .meta({
        description:
          'Further requests of the same minute with the same operation, status and code that have no entry of their own.',
        examples: [0],
      }),
  })
  .register(typeNames, { name: 'RequestEntry' });

export const requestList = cursorListOf(requestEntry);

export const requestStats = z
  .object({
    data: z
      .array(
        z
          .object({
            bucket: isoDate.describe('Beginning of the quarter of an hour.'),
            operation: operationName
              .nullable()
              .describe('Registry name of the operation; null where the request names none.'),
            status: z.int().meta({ description: 'Status, as in the entries.', examples: [200] }),
            code: errorCode.nullable().describe('Code of the error; null for accepted requests.'),
            count: z
              .int()
              .min(0)
              .meta({ description: 'Requests.', examples: [120] }),
            p95Ms: z
              .int()
              .min(0)
              .meta({
                description: 'Time that 95 % of them took at most, in milliseconds, to within 20 %.',
                examples: [18],
              }),
          })
          .register(typeNames, { name: 'RequestCount' }),
      )
      .describe('Counts by quarter, operation, status and code, oldest first.'),
  })
  .register(typeNames, { name: 'RequestStats' });
