import { errorCodes } from '@postrider/core/base/kernel';
import { z } from 'zod';

const fieldError = z
  .object({
    field: z
      .string()
      .meta({ description: 'Path of the field, such as `to.0.email`.', examples: ['to.0.email'] }),
    message: z.string().meta({ description: 'What is wrong with the field.', examples: ['Required'] }),
    code: z.string().meta({
      description: 'Machine-readable reason, such as `required` or `invalid_string`.',
      examples: ['required'],
    }),
    received: z
      .any()
      .optional()
      .meta({
        description: 'What was received instead: the type of the value, or the reserved name.',
        examples: ['number'],
      }),
  })
  .meta({ 'x-name': 'FieldError' });

/** The body of a refused request (B7.1). */
export const errorEnvelope = z
  .object({
    success: z.literal(false).describe('Always false.'),
    error: z
      .object({
        code: z.enum(Object.keys(errorCodes) as [string, ...string[]]).meta({
          'x-name': 'ErrorCode',
          description: 'Machine-readable code.',
          examples: ['VALIDATION_ERROR'],
        }),
        message: z
          .string()
          .meta({ description: 'A human-readable message.', examples: ['Request validation failed'] }),
        statusCode: z
          .int()
          .min(400)
          .max(599)
          .meta({ description: 'The HTTP status.', examples: [422] }),
        requestId: z.string().meta({
          description: 'Id of the request, as in the header `X-Request-Id`.',
          examples: ['6f1c2a9e-4b7d-4a0e-8c55-0d9b6a1e2f34'],
        }),
        errors: z.array(fieldError).optional().describe('One item per problem, up to 1,000. Present on 422.'),
        details: z
          .record(z.string(), z.any())
          .optional()
          .meta({ description: 'Further context, depending on the code.', examples: [{ retryAfter: 12 }] }),
        suggestion: z
          .string()
          .meta({ description: 'What to do about it.', examples: ['Correct the fields named in errors'] }),
        docs: z.url().meta({
          description: 'The page of the documentation about this code.',
          examples: ['https://api.example.com/docs/errors/VALIDATION_ERROR'],
        }),
      })
      .meta({ 'x-name': 'ErrorDetails', description: 'What went wrong.' }),
    timestamp: z.iso.datetime().describe('When the request was answered, in UTC.'),
  })
  .describe('A refused request.');

/** The body of the refusals of B7.4. */
export const flatError = z
  .object({
    error: z.string().meta({ description: 'A human-readable message.', examples: ['email is required'] }),
  })
  .describe('A refused request of an endpoint that answers missing fields with a flat body.');
