import { z } from 'zod';
import type { Credential } from '../access/gate.ts';
import { version } from '../version.ts';
import type { Endpoint } from './endpoint.ts';
import { type JsonSchema, jsonSchemaOf, withoutNull } from './json-schema.ts';

const errorEnvelope = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.string(),
    message: z.string(),
    statusCode: z.int(),
    requestId: z.string(),
    errors: z
      .array(
        z.object({ field: z.string(), message: z.string(), code: z.string(), received: z.any().optional() }),
      )
      .optional(),
    details: z.record(z.string(), z.any()).optional(),
    suggestion: z.string(),
  }),
  timestamp: z.iso.datetime(),
});

const securityOf: Record<Credential, Record<string, string[]>[]> = {
  'public-key': [{ publicKey: [] }],
  'secret-key': [{ secretKey: [] }],
  'secret-or-session': [{ secretKey: [] }, { session: [], project: [] }],
  session: [{ session: [] }],
  none: [],
};

const components = {
  securitySchemes: {
    publicKey: { type: 'http', scheme: 'bearer', description: 'The public key of a project, `pk_…`' },
    secretKey: { type: 'http', scheme: 'bearer', description: 'The secret key of a project, `sk_…`' },
    session: { type: 'apiKey', in: 'cookie', name: 'postrider_session', description: 'A signed-in person' },
    project: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Project-Id',
      description: 'The project of a session request',
    },
  },
  schemas: {
    Error: jsonSchemaOf(errorEnvelope, 'output'),
    FlatError: jsonSchemaOf(z.object({ error: z.string() }), 'output'),
  },
};

const statusTexts: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Deleted',
  503: 'Unavailable',
};

/** The OpenAPI 3.1 document of everything mounted, with named schemas for the records that come back often. */
export function openApiOf(endpoints: readonly Endpoint[], records: Record<string, z.ZodType>) {
  const named = new Map(
    Object.entries(records).map(([name, schema]) => [JSON.stringify(jsonSchemaOf(schema, 'output')), name]),
  );
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, named) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postrider API',
      version,
      description: 'Transactional email, events, contacts, templates and campaigns of one project.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      ...components,
      schemas: {
        ...components.schemas,
        ...Object.fromEntries([...named].map(([text, name]) => [name, JSON.parse(text) as JsonSchema])),
      },
    },
  };
}

const tagOf = ({ name }: Endpoint): string => name.split('.')[0] ?? name;

type Named = ReadonlyMap<string, string>;

function operationOf(endpoint: Endpoint, named: Named) {
  const { method, name, summary, credential, idempotent } = endpoint;
  const { parameters, body } = inputOf(endpoint);
  if (idempotent) parameters.push(idempotencyHeader);
  return {
    operationId: name,
    tags: [tagOf(endpoint)],
    summary,
    security: securityOf[credential],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && method !== 'GET'
      ? { requestBody: { required: (body.required ?? []).length > 0, content: json(body) } }
      : {}),
    responses: responsesOf(endpoint, named),
  };
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A request with a key that was used before is refused with 409',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const json = (schema: object) => ({ 'application/json': { schema } });

/** Splits an operation's input over path, query and body. */
function inputOf({ method, path, input }: Endpoint): { parameters: object[]; body: JsonSchema | null } {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const schema = input ? jsonSchemaOf(input, 'input') : {};
  const properties = schema.properties ?? {};
  const parameters: object[] = inPath.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string', format: 'uuid' },
  }));
  const rest = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  if (method === 'GET' || method === 'DELETE') {
    for (const [name, each] of rest) {
      parameters.push({
        name,
        in: 'query',
        required: schema.required?.includes(name) ?? false,
        schema: withoutNull(each),
      });
    }
    return { parameters, body: null };
  }
  if (rest.length === 0) return { parameters, body: null };
  const required = schema.required?.filter((name) => !inPath.includes(name)) ?? [];
  const body: JsonSchema = { type: 'object', properties: Object.fromEntries(rest) };
  if (required.length > 0) body.required = required;
  return { parameters, body };
}

function responsesOf({ output, statuses, envelope, flat, produces }: Endpoint, named: Named) {
  const responses: Record<string, unknown> = {};
  const schema: JsonSchema = output ? withNames(jsonSchemaOf(output, 'output'), named) : { type: 'string' };
  const body = envelope === 'none' ? schema : envelopeOf(schema, envelope === 'with-message');
  for (const status of statuses) {
    const description = statusTexts[status] ?? 'Success';
    responses[status] =
      status === 204 ? { description } : { description, content: { [produces]: { schema: body } } };
  }
  const error = { $ref: '#/components/schemas/Error' };
  if (flat) {
    const flatError = { $ref: '#/components/schemas/FlatError' };
    responses['400'] = { description: 'Refused', content: json({ anyOf: [flatError, error] }) };
  }
  responses.default = { description: 'Refused', content: json(error) };
  return responses;
}

const envelopeOf = (data: JsonSchema, withMessage: boolean) => ({
  type: 'object',
  properties: { success: { const: true }, data, ...(withMessage ? { message: { type: 'string' } } : {}) },
  required: ['success', 'data', ...(withMessage ? ['message'] : [])],
});

/** Replaces every part that equals a named record by a reference to it. */
function withNames(schema: JsonSchema, named: Named): JsonSchema {
  const name = named.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return mapValues(schema, (value) => replaceIn(value, named)) as JsonSchema;
}

function replaceIn(value: unknown, named: Named): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, named));
  return typeof value === 'object' && value !== null ? withNames(value as JsonSchema, named) : value;
}

const mapValues = (record: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
