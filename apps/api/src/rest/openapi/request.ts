import type { Endpoint } from '../endpoint.ts';
import { exampleOf } from './example.ts';
import { type JsonSchema, type SchemaWriter, withoutNull } from './json-schema.ts';

interface Request {
  parameters: object[];
  requestBody?: object;
}

/** Splits an endpoint's input over path, query and body. */
export function requestOf(endpoint: Endpoint, writer: SchemaWriter): Request {
  const { path, from, input, form, idempotent } = endpoint;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const schema: JsonSchema = input ? writer.write(input, 'input') : {};
  const forms = formsOf(schema, writer);
  const properties: Record<string, JsonSchema | boolean> = Object.assign(
    {},
    ...forms.map((each) => each.properties),
  );
  const parameters: object[] = inPath.map((name) =>
    parameter('path', name, true, properties[name] ?? true, writer),
  );
  if (from === 'query' && !form) {
    const required = forms[0]?.required ?? [];
    for (const [name, each] of Object.entries(properties))
      if (!inPath.includes(name))
        parameters.push(parameter('query', name, required.includes(name), each, writer));
  }
  if (idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  parameters.push({ $ref: '#/components/parameters/RequestId' });
  const body = form
    ? { type: 'multipart/form-data', schema: writer.write(form, 'input') }
    : { type: 'application/json', schema: from === 'body' ? withoutFields(schema, inPath, writer) : null };
  if (body.schema === null) return { parameters };
  return { parameters, requestBody: bodyOf(body.type, body.schema, writer) };
}

function bodyOf(type: string, schema: JsonSchema, writer: SchemaWriter): object {
  const forms = formsOf(schema, writer);
  return {
    // An empty body counts as an empty object (B1.1), but as no form.
    required: type !== 'application/json' || forms.every(({ required = [] }) => required.length > 0),
    content: { [type]: { schema: closed(schema), ...examplesOf(forms, schema, writer) } },
  };
}

/** Requests have no other fields than those described (B1.1). Components are left as they are: replies, which may grow, share them. */
function closed<Value>(schema: Value): Value {
  if (Array.isArray(schema)) return schema.map(closed) as Value;
  if (typeof schema !== 'object' || schema === null) return schema;
  const form = schema as JsonSchema;
  return {
    ...Object.fromEntries(
      Object.entries(form).map(([key, value]) => [key, isExample.has(key) ? value : closedIn(key, value)]),
    ),
    ...(form.properties && form.additionalProperties === undefined ? { additionalProperties: false } : {}),
  } as Value;
}

/** `properties` is an object of schemas, not a schema; a field may have any name. */
const closedIn = (key: string, value: unknown): unknown =>
  key === 'properties'
    ? Object.fromEntries(Object.entries(value as object).map(([name, field]) => [name, closed(field)]))
    : closed(value);

const isExample = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** One example, or one of each form of the body. */
function examplesOf(forms: readonly JsonSchema[], schema: JsonSchema, writer: SchemaWriter): object {
  if (forms.length < 2) return { example: exampleOf(schema, writer) };
  const entries = forms.map((form, index) => {
    const summary = form.title ?? `Form ${index + 1}`;
    const key = summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    return [key, { summary, value: exampleOf(form, writer) }];
  });
  return { examples: Object.fromEntries(entries) };
}

function parameter(
  place: 'path' | 'query',
  name: string,
  required: boolean,
  given: JsonSchema | boolean,
  writer: SchemaWriter,
): object {
  const whole = withoutNull(given === true ? { type: 'string', format: 'uuid' } : given);
  if (typeof whole === 'boolean') return { name, in: place, required, schema: whole };
  const { description, examples, ...schema } = whole;
  const example = examples?.[0] ?? exampleOf(schema, writer);
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

/** The forms of a body: the branches of a union, or the body itself. */
export function formsOf(schema: JsonSchema, writer: SchemaWriter): JsonSchema[] {
  const whole = writer.resolve(schema);
  const forms = whole.oneOf ?? (whole.properties ? undefined : whole.anyOf);
  if (!forms) return [whole];
  return forms.filter((form) => typeof form === 'object').flatMap((form) => formsOf(form, writer));
}

/** The body without the parameters of the path; null when nothing is left. */
function withoutFields(
  schema: JsonSchema,
  names: readonly string[],
  writer: SchemaWriter,
): JsonSchema | null {
  const forms = formsOf(schema, writer);
  const fields = forms.flatMap(({ properties = {} }) => Object.keys(properties));
  if (fields.every((field) => names.includes(field))) return null;
  if (!fields.some((field) => names.includes(field))) return schema;
  const { description, examples } = schema;
  const stripped = forms.map((form) => withoutProperties(form, names));
  const [only] = stripped;
  if (only && stripped.length === 1) return only;
  const { oneOf } = writer.resolve(schema);
  return {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    [oneOf ? 'oneOf' : 'anyOf']: stripped,
  };
}

function withoutProperties(form: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties = {}, required = [], ...rest } = form;
  const left = required.filter((name) => !names.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    ...(left.length > 0 ? { required: left } : {}),
  };
}
