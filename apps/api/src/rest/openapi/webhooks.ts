import { typeNameOf } from '@postrider/core/base/kernel';
import { webhookBodies } from '@postrider/core/insight/webhook-endpoints/contract';
import { pascalOf } from './named-components.ts';
import { refTo } from './schema-walk.ts';

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Headers of Standard Webhooks. */
const parameters = [
  header('webhook-id', 'Id of the delivery: the same for every attempt and replay.'),
  header('webhook-timestamp', 'When the request was signed, in seconds since 1970.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of an HMAC-SHA256 of `id.timestamp.body`; once per secret.',
  ),
];

/** The section `webhooks` of the document: one request for each kind (behaviour B11.3), whose bodies are among its components. */
export function webhookSection() {
  return Object.fromEntries(
    webhookBodies.map(({ kind, text, body }) => [
      kind,
      {
        post: {
          operationId: `receive${pascalOf(kind)}`,
          tags: ['webhooks'],
          summary: `Event ${kind}`,
          description: text,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: refTo(typeNameOf(body) ?? '') } },
          },
          responses: {
            '2XX': { description: 'Accepted. Any other answer is followed by further attempts.' },
          },
        },
      },
    ]),
  );
}
