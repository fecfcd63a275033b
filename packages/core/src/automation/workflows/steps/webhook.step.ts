import { z } from 'zod';
import { httpUrlMessage, isHttpUrl, notGiven, requiredText } from '../../../base/kernel/schemas.ts';
import { defineStep, hasTemplateTags } from './step.rules.ts';

export const webhookMethods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const;

/** The only thing that can be checked in a template is that it is one line: no value changes that. */
const mayBeAddress = (url: string): boolean =>
  hasTemplateTags(url) ? !/[\p{Cc}]/u.test(url) : isHttpUrl(url);

export const webhookUrl = requiredText(2_000).refine(mayBeAddress, {
  params: { code: 'invalid_string' },
  message: httpUrlMessage,
});

/** Maximum size of a body in bytes, as configured and as sent. */
export const webhookBodyLimit = 64 * 1_024;
const maxHeaders = 50;

const isTooLarge = (body: unknown): boolean =>
  new TextEncoder().encode(JSON.stringify(body) ?? '').length > webhookBodyLimit;

/** A field name is a token of RFC 9110 5.6.2; a value must not break out of its line. */
const headerName = z.string().regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, { message: 'Not a header name' });
const headerValue = z
  .string()
  .max(2_000)
  .refine((value) => !/[\r\n]/.test(value), {
    params: { code: 'invalid_string' },
    message: 'Must not contain CR or LF',
  });

/** Sends a request to another service. */
export const webhookStep = defineStep({
  type: 'WEBHOOK',
  label: 'Webhook',
  config: z.object({
    url: webhookUrl.meta({
      description: 'Address of the request: http or https, a Liquid template.',
      examples: ['https://example.com/hooks'],
    }),
    method: notGiven(z.enum(webhookMethods)).describe('HTTP method. Default `POST`.'),
    headers: notGiven(
      z.record(headerName, headerValue).refine((headers) => Object.keys(headers).length <= maxHeaders, {
        params: { code: 'too_big' },
        message: `At most ${maxHeaders} headers`,
      }),
    ).meta({
      description: 'Headers of the request; values are Liquid templates.',
      examples: [{ 'X-Plan': '{{plan}}' }],
    }),
    body: z
      .unknown()
      .refine((body) => !isTooLarge(body), {
        params: { code: 'too_big' },
        message: `At most ${webhookBodyLimit / 1_024} KiB of JSON`,
      })
      .optional()
      .meta({
        description: 'JSON body; its strings are Liquid templates. Default a description of the execution.',
        examples: [{ email: '{{email}}' }],
      }),
  }),
  example: { url: 'https://example.com/hooks', method: 'POST', body: { email: '{{email}}' } },
  waysOut: { kind: 'one' },
  reads: () => [],
  holdsTemplates: true,
});
