import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

const graphqlRequest = z
  .object({
    query: z
      .string()
      .min(1)
      .meta({
        description: 'The document, at most 100 KB.',
        examples: ['query Contact($id: ID!) { contact(id: $id) { email } }'],
      }),
    variables: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({
        description: 'Values of the variables of the document.',
        examples: [{ id: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90' }],
      }),
    operationName: z
      .string()
      .nullish()
      .meta({
        description: 'The operation to run, where the document has several.',
        examples: ['Contact'],
      }),
  })
  .describe('A GraphQL request.');

const graphqlError = z
  .object({
    message: z.string().meta({ description: 'A human-readable message.', examples: ['Contact not found'] }),
    path: z
      .array(z.union([z.string(), z.int()]))
      .optional()
      .meta({ description: 'The field that failed.', examples: [['contact']] }),
    extensions: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description: '`code`, `statusCode`, `requestId`, and `errors` where fields are not valid.',
        examples: [
          {
            code: 'CONTACT_NOT_FOUND',
            statusCode: 404,
            requestId: '6f1c2a9e-4b7d-4a0e-8c55-0d9b6a1e2f34',
          },
        ],
      }),
  })
  .meta({ 'x-name': 'GraphqlError' });

const graphqlReply = z
  .object({
    data: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({
        description: 'What was asked for; null where an error left nothing.',
        examples: [{ contact: { email: 'customer@example.com' } }],
      }),
    errors: z.array(graphqlError).optional().describe('What went wrong. Absent when nothing did.'),
  })
  .describe('A GraphQL reply.');

const graphqlRefusal = z
  .object({ errors: z.array(graphqlError).describe('What went wrong.') })
  .describe('A refused GraphQL request.');

/** Endpoints of other doors that the document also lists (B4.21). */
export const otherDoors: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/graphql',
    name: 'graphql.execute',
    summary: 'Runs a GraphQL query or mutation.',
    credential: 'secret-key',
    input: graphqlRequest,
    output: graphqlReply,
    refusal: graphqlRefusal,
    from: 'body',
    changes: false,
    errors: ['BAD_REQUEST', 'QUERY_TOO_COMPLEX'],
    statuses: [200],
    envelope: 'none',
    flat: false,
    idempotent: false,
    dryRun: false,
    risk: null,
    produces: 'application/json',
  },
  {
    method: 'GET',
    path: '/docs',
    name: 'docs.reference',
    summary: 'The reference page of this API.',
    credential: 'none',
    from: 'query',
    changes: false,
    errors: [],
    statuses: [200],
    envelope: 'none',
    flat: false,
    idempotent: false,
    dryRun: false,
    risk: null,
    produces: 'text/html',
  },
];
