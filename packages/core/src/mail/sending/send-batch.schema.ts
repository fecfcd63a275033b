import { z } from 'zod';
import { dataWarnings } from '../../audience/contacts/contacts.schema.ts';
import { isoDate, judgedLater, namedEnum, notGiven, typeNames } from '../../base/kernel/schemas.ts';
import { sendInput, sendOutput } from './sending.schema.ts';

/** Emails of one batch, and so also its items. */
export const mostOfBatch = 1_000;

export const batchInput = z.object({
  emails: z
    .array(judgedLater(sendInput))
    .min(1)
    .max(mostOfBatch)
    .meta({
      description:
        'Bodies of `POST /v1/send`, 1 to 1,000, which make at most 1,000 emails together. They are judged and stored in this order, each for itself.',
      examples: [
        [
          {
            to: 'customer@example.com',
            subject: 'Your order has shipped',
            body: '<p>Your order has shipped.</p>',
            from: 'hello@example.com',
          },
        ],
      ],
    }),
  atomic: notGiven(z.boolean()).meta({
    description: 'Whether nothing is stored if one of them is refused. Default false.',
    examples: [true],
  }),
});

const batchError = z
  .object({
    code: z.string().meta({ description: 'Code of the error.', examples: ['VALIDATION_ERROR'] }),
    message: z.string().meta({ description: 'What is wrong.', examples: ['Request validation failed'] }),
    statusCode: z.int().meta({ description: 'Status that `POST /v1/send` answers.', examples: [422] }),
    errors: z
      .array(
        z
          .object({
            field: z.string().meta({ description: 'Path of the field in the item.', examples: ['to'] }),
            message: z.string().meta({ description: 'What is wrong with it.', examples: ['Required'] }),
            code: z.string().meta({ description: 'Code of the problem.', examples: ['required'] }),
            received: z
              .unknown()
              .optional()
              .meta({ description: 'What was given.', examples: ['number'] }),
          })
          .register(typeNames, { name: 'SendEmailsFieldError' }),
      )
      .optional()
      .describe('One element for each problem of a field.'),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Further facts, by the code.', examples: [{ reason: 'DOMAIN_NOT_VERIFIED' }] }),
    suggestion: z.string().meta({
      description: 'What to do about it.',
      examples: ['Correct the fields named in errors and send the request again'],
    }),
  })
  .register(typeNames, { name: 'SendEmailsError' });

export type BatchError = z.input<typeof batchError>;

const batchStatus = namedEnum('SendEmailsStatus', ['ACCEPTED', 'REFUSED']);

const batchResult = z
  .object({
    index: z
      .int()
      .min(0)
      .meta({ description: 'Place of the item in the request, from 0.', examples: [0] }),
    status: batchStatus.describe('Whether its emails are stored.'),
    emails: sendOutput.shape.emails
      .optional()
      .describe('Of an accepted item, as in the reply of `POST /v1/send`.'),
    warnings: dataWarnings,
    error: batchError
      .optional()
      .describe('Of a refused item: exactly the error that `POST /v1/send` would give.'),
  })
  .register(typeNames, { name: 'SendEmailsResult' });

export type BatchResult = z.input<typeof batchResult>;

export const batchOutput = z
  .object({
    results: z.array(batchResult).describe('One result for each item, in the order of the request.'),
    accepted: z
      .int()
      .min(0)
      .meta({ description: 'Number of accepted items.', examples: [1] }),
    refused: z
      .int()
      .min(0)
      .meta({ description: 'Number of refused items.', examples: [0] }),
    timestamp: isoDate.describe('When the items were accepted.'),
  })
  .register(typeNames, { name: 'SendEmailsPayload' });
