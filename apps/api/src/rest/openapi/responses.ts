import type { ErrorCode } from '@postrider/core/base/kernel';
import type { Endpoint } from '../endpoint.ts';
import { errorExampleName } from './error-examples.ts';
import { errorsOf } from './errors.ts';
import { exampleOf } from './example.ts';
import { headersOf } from './headers.ts';
import type { JsonSchema, SchemaWriter } from './json-schema.ts';
import { pascalOf } from './named-components.ts';
import type { Example, Media, Reply } from './published.ts';
import { formsOf } from './request.ts';

const successTexts: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted for background work.',
  204: 'Deleted. The body is empty.',
  302: 'Redirect.',
  400: 'Refused.',
  404: 'Not found.',
  503: 'Unavailable.',
};

const errorTexts: Record<number, string> = {
  400: 'The request breaks a rule or its body cannot be read.',
  401: 'The credential is missing, unknown or of the wrong kind.',
  402: 'The billing limit of the project is reached.',
  403: 'The credential is not allowed to do this.',
  404: 'No such record in this project.',
  409: 'The request conflicts with the current state.',
  413: 'The request body is too large.',
  422: 'Fields of the request are invalid. `error.errors` names each of them.',
  429: 'The rate limit is reached. Wait for the seconds given in `Retry-After`.',
  500: 'Unexpected error.',
};

const errorSchema = { $ref: '#/components/schemas/ErrorEnvelope' };
const flatSchema = { $ref: '#/components/schemas/FlatError' };

/** Every status that an endpoint answers with its body, headers and examples. */
export function responsesOf(endpoint: Endpoint, writer: SchemaWriter): Record<string, Reply> {
  const responses: Record<string, Reply> = {};
  for (const status of endpoint.statuses) responses[status] = success(endpoint, status, writer);
  for (const [status, codes] of errorsOf(endpoint))
    responses[status] ??= endpoint.refusal
      ? refusalOfDoor(endpoint, status, writer.write(endpoint.refusal, 'output'), writer)
      : { $ref: `#/components/responses/${refusalName(endpoint, status, codes)}` };
  responses['default'] = {
    description:
      'Any other failure, such as a header section that is too large, or 503 with `Retry-After` while the database cannot be reached.',
    content: {
      'application/json': { schema: errorSchema, examples: exampleRefs(['INTERNAL_SERVER_ERROR'], 500) },
    },
  };
  return responses;
}

function success(endpoint: Endpoint, status: number, writer: SchemaWriter): object {
  const { produces, output } = endpoint;
  const description = successTexts[status] ?? 'Success.';
  const headers = headersOf(endpoint, status);
  if (status === 204) return { description, headers };
  if (status === 302) {
    const location = {
      description: endpoint.location === undefined ? 'The original link.' : 'Where the browser is sent.',
      schema: { type: 'string', format: 'uri' },
      example: endpoint.location ?? 'https://example.com/offer',
    };
    return { description, headers: { ...headers, Location: location } };
  }
  const schema = output ? withEnvelope(endpoint, writer.write(output, 'output')) : unwritten(produces);
  return { description, headers, content: { [produces]: { schema, ...examplesOf(schema, writer) } } };
}

/** An example, or one of each form of the reply. */
function examplesOf(schema: JsonSchema, writer: SchemaWriter): Media {
  const forms = formsOf(schema, writer);
  if (forms.length < 2) return { example: exampleOf(schema, writer) };
  const examples = forms.map((form, index): [string, Example] => {
    return [
      `form-${index + 1}`,
      { summary: form.description ?? `Form ${index + 1}`, value: exampleOf(form, writer) },
    ];
  });
  return { examples: Object.fromEntries(examples) };
}

/** What is answered as it is, without a schema. */
const unwritten = (produces: string): JsonSchema =>
  produces === 'application/json'
    ? {
        type: 'object',
        description: 'The document.',
        additionalProperties: {},
        examples: [{ openapi: '3.1.0' }],
      }
    : produces.startsWith('image/')
      ? { type: 'string', format: 'binary', description: 'The image.', examples: ['GIF89a'] }
      : { type: 'string', description: 'The document.', examples: [textExample(produces)] };

const textExample = (produces: string): string =>
  produces === 'text/html' ? '<!doctype html><title>Postrider</title>' : 'Unsubscribed';

const isFlat = ({ flat }: Endpoint, status: number): boolean => flat && status === 400;

/** Equal refusals share one name, such as `Error404ContactNotFound`. */
const refusalName = (endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): string =>
  pascalOf(
    [
      `Error${status}`,
      ...codes,
      ...(isFlat(endpoint, status) ? ['flat'] : []),
      ...('RateLimit-Limit' in headersOf(endpoint, status) ? [] : ['unlimited']),
    ].join('.'),
  );

/** The refusals of all endpoints, by name. */
export function refusalsOf(endpoints: readonly Endpoint[]): Record<string, Reply> {
  const refusals: Record<string, Reply> = {};
  for (const endpoint of endpoints)
    for (const [status, codes] of endpoint.refusal ? [] : errorsOf(endpoint))
      refusals[refusalName(endpoint, status, codes)] ??= refusal(endpoint, status, codes);
  return refusals;
}

function refusal(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): object {
  const flat = isFlat(endpoint, status);
  const list = codes.map((code) => `\`${code}\``).join(', ');
  return {
    description: `${errorTexts[status] ?? 'Refused.'} Codes: ${list}.${flat ? ' A required field that is missing is answered with the flat body.' : ''}`,
    headers: headersOf(endpoint, status),
    content: {
      'application/json': {
        schema: flat ? { anyOf: [errorSchema, flatSchema] } : errorSchema,
        examples: {
          ...exampleRefs(codes, status),
          ...(flat ? { FLAT: { $ref: '#/components/examples/Flat' } } : {}),
        },
      },
    },
  };
}

function refusalOfDoor(endpoint: Endpoint, status: number, schema: JsonSchema, writer: SchemaWriter): object {
  return {
    description: errorTexts[status] ?? 'Refused.',
    headers: headersOf(endpoint, status),
    content: { 'application/json': { schema, example: exampleOf(schema, writer) } },
  };
}

const exampleRefs = (codes: readonly ErrorCode[], status: number) =>
  Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${errorExampleName(code, status)}` }]),
  );

function withEnvelope({ envelope }: Endpoint, data: JsonSchema): JsonSchema {
  if (envelope === 'none') return data;
  const message = {
    type: 'string' as const,
    description: 'What happened, in one sentence.',
    examples: ['Campaign is being sent'],
  };
  const hasMessage = envelope === 'with-message';
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', description: 'Always true.' },
      data: { description: 'The result.', ...data },
      ...(hasMessage ? { message } : {}),
    },
    required: ['success', 'data', ...(hasMessage ? ['message'] : [])],
  };
}
