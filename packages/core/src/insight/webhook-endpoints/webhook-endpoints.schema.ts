import { z } from 'zod';
import {
  accepting,
  clearable,
  cursorListOf,
  cursorQuery,
  filterEnum,
  httpUrlMessage,
  instant,
  isHttpUrl,
  isoDate,
  jobOf,
  namedEnum,
  notGiven,
  recordId,
  requiredText,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { everyType, isEventType } from './event-types.rules.ts';
import { webhookFormat } from './formats/format-types.rules.ts';
import { webhookEvent } from './webhook-events.schema.ts';

/** Endpoints that a project may have. */
export const endpointLimit = 20;

const url = requiredText(2_000)
  .refine(isHttpUrl, { params: { code: 'invalid_string' }, message: httpUrlMessage })
  .meta({
    description:
      'Address that events are posted to: http or https, at most 2,000 characters. It must be reachable from the public internet.',
    examples: ['https://example.com/webhooks/postrider'],
  });

const eventType = z
  .string()
  .max(270)
  .refine(isEventType, {
    params: { code: 'invalid_enum_value' },
    message: 'Must be * or the exact name of an event type, such as email.sent or event.signed_up',
  });

const types = z
  .array(eventType)
  .min(1)
  .max(100)
  .transform((given) => [...new Set(given)])
  .meta({
    description:
      'Types of events to receive, 1 to 100: exact names, or `*` for all. Events of the project itself are named `event.<name>`.',
    examples: [['email.bounce', 'event.signed_up']],
  });

const description = clearable(z.string().trim().max(500)).meta({
  description: 'Description for the team, at most 500 characters.',
  examples: ['Updates the customer database'],
});

const enabled = notGiven(z.boolean());
const endpointId = uuid.describe('Id of the endpoint.');
const deliveryId = uuid.describe('Id of the delivery.');

export const createEndpointInput = z.object({
  url,
  description,
  types: notGiven(types).meta({
    description: 'Types of events to receive, 1 to 100: exact names, or `*` for all. Default `["*"]`.',
    examples: [['email.bounce', 'event.signed_up']],
  }),
  format: notGiven(webhookFormat).describe(
    'What the requests look like: ours, or those of another service, for programs that read its webhooks. It cannot be changed, and limits `types`. Default `POSTRIDER`.',
  ),
  enabled: enabled.describe('Whether events are delivered. Default true.'),
});

export const updateEndpointInput = z.object({
  id: endpointId,
  url: notGiven(url).meta({
    description: 'New address. Deliveries that are pending go there too.',
    examples: ['https://example.com/webhooks/postrider'],
  }),
  description,
  types: notGiven(types).meta({
    description: 'New types of events; they replace the former ones.',
    examples: [[everyType]],
  }),
  enabled: enabled.describe(
    'Whether events are delivered. While it is false, no event is queued, and pending deliveries wait. True also clears `disabledReason`.',
  ),
});

export const endpointIdInput = z.object({ id: endpointId });
export const listEndpointsInput = z.object({});

export const endpointOutput = z
  .object({
    id: recordId.describe('Id of the endpoint.'),
    url: z.string().meta({
      description: 'Address that events are posted to.',
      examples: ['https://example.com/webhooks/postrider'],
    }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Description for the team.', examples: ['Updates the customer database'] }),
    types: z
      .array(z.string())
      .meta({ description: 'Types of events it receives; `*` means all.', examples: [[everyType]] }),
    format: webhookFormat.describe('What the requests look like: ours, or those of another service.'),
    publicKey: z
      .string()
      .nullable()
      .meta({
        description: 'Verifies the signatures of requests in the format `SENDGRID`; null in other formats.',
        examples: [null],
      }),
    enabled: z.boolean().describe('Whether events are delivered.'),
    disabledReason: z
      .string()
      .nullable()
      .meta({
        description:
          'Why Postrider disabled it: `GONE` (it answered 410) or `FAILING` (no success for 5 days); null otherwise.',
        examples: [null],
      }),
    createdAt: isoDate.describe('When the endpoint was created.'),
    updatedAt: isoDate.describe('When the endpoint last changed.'),
  })
  .describe('An address that the events of a project are posted to.')
  .register(typeNames, { name: 'WebhookEndpoint' });

export const endpointListOutput = z.array(endpointOutput);

export const endpointWithSecret = endpointOutput
  .extend({
    secret: z.string().meta({
      description:
        'Secret that signs the requests (Standard Webhooks): `whsec_` and base64. Handlers of Mailgun take the whole text as their webhook signing key. It is shown this once.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
  })
  .register(typeNames, { name: 'WebhookEndpointWithSecret' });

export const testOutput = z
  .object({ deliveryId: recordId.describe('Id of the delivery of the test event.') })
  .register(typeNames, { name: 'WebhookTest' });

export const webhookDeliveryStatus = namedEnum('WebhookDeliveryStatus', ['PENDING', 'DELIVERED', 'FAILED']);

const attempt = z
  .object({
    at: isoDate.describe('When the request was sent.'),
    statusCode: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the answer; null without one.', examples: [200] }),
    error: z
      .string()
      .nullable()
      .meta({
        description: 'Why the attempt failed; null after a success.',
        examples: ['no answer within 15 seconds'],
      }),
    ms: z
      .int()
      .min(0)
      .meta({ description: 'Duration of the request in milliseconds.', examples: [84] }),
    response: z
      .string()
      .nullable()
      .meta({ description: 'The first 2 KB of the answer; null without one.', examples: ['ok'] }),
  })
  .register(typeNames, { name: 'WebhookAttempt' });

const payload = z
  .object({
    type: z.string().meta({ description: 'Type of the event.', examples: ['email.bounce'] }),
    kind: z.string().meta({
      description: 'What tells the payloads apart: the type, `event`, `segment.entry` or `segment.exit`.',
      examples: ['email.bounce'],
    }),
    timestamp: isoDate.describe('When the event happened.'),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'Data of the event, and `contact`: `{id, email, externalId}` or null.',
      examples: [
        {
          plan: 'pro',
          contact: {
            id: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90',
            email: 'customer@example.com',
            externalId: null,
          },
        },
      ],
    }),
  })
  .register(typeNames, { name: 'WebhookPayload' });

export const webhookDelivery = z
  .object({
    id: recordId.describe('Id of the delivery, and `webhook-id` of its requests.'),
    type: z.string().meta({ description: 'Type of the event.', examples: ['email.bounce'] }),
    status: webhookDeliveryStatus.describe('Whether the endpoint has accepted it.'),
    attempts: z.array(attempt).describe('The attempts made, oldest first.'),
    nextAttemptAt: isoDate.nullable().describe('When the next attempt is due; null once it is settled.'),
    payload: accepting(payload.describe('Body of the requests.'), webhookEvent),
    createdAt: isoDate.describe('When the delivery was queued.'),
  })
  .describe('One event for one endpoint, with its attempts.')
  .register(typeNames, { name: 'WebhookDelivery' });

export const listDeliveriesInput = z.object({
  id: endpointId,
  ...cursorQuery,
  status: filterEnum('status', webhookDeliveryStatus).describe('Only deliveries in this state.'),
  type: notGiven(z.string().max(270)).meta({
    description: 'Only deliveries of this type of event.',
    examples: ['email.bounce'],
  }),
});

export const deliveryList = cursorListOf(webhookDelivery);
export const deliveryInput = z.object({ id: endpointId, deliveryId });

export const replayRangeInput = z
  .object({
    id: endpointId,
    from: instant.describe('Deliveries queued at or after this time.'),
    to: instant.describe('Deliveries queued before this time.'),
    types: notGiven(z.array(z.string().max(270)).max(100)).meta({
      description: 'Only these types of events. Default all.',
      examples: [['email.bounce']],
    }),
    failedOnly: notGiven(z.boolean()).describe('Only deliveries that have failed. Default false.'),
  })
  .refine(({ from, to }) => from < to, {
    params: { code: 'invalid_range' },
    path: ['to'],
    message: 'Must be after from',
  });

export const replayJobInput = z.object({
  id: endpointId,
  jobId: z.string().meta({ description: 'Id of the job, from the reply that started it.', format: 'uuid' }),
});

const count = (text: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description: text, examples: [example] });

export const replayJob = jobOf(
  z.object({
    matched: count('Deliveries in the range when the job began.', 1200),
    replayed: count('Deliveries that were queued again.', 1200),
  }),
).register(typeNames, { name: 'WebhookReplayJob' });
