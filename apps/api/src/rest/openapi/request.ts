import type { Endpoint } from '../endpoint.ts';
import { exampleOf, smallestExample } from './example.ts';
import { type JsonSchema, type SchemaWriter, withoutNull } from './json-schema.ts';
import type { Content, Example, Media, Parameter } from './published.ts';

interface Request {
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
}

/**
 * Splits an endpoint's input over path, query and body.
 *
 * @param tried values of the smallest example, which works with them in this installation
 */
export function requestOf(endpoint: Endpoint, writer: SchemaWriter, tried: object): Request {
  const { path, from, input, form, idempotent, dryRun } = endpoint;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const schema: JsonSchema = input ? writer.write(input, 'input') : {};
  const forms = formsOf(schema, writer);
  const properties: Record<string, JsonSchema | boolean> = Object.assign(
    {},
    ...forms.map((each) => each.properties),
  );
  const parameters: Parameter[] = inPath.map((name) =>
    parameter('path', name, true, properties[name] ?? true, writer),
  );
  if (from === 'query' && !form) {
    const required = forms[0]?.required ?? [];
    for (const [name, each] of Object.entries(properties))
      if (!inPath.includes(name))
        parameters.push(parameter('query', name, required.includes(name), each, writer));
  }
  if (idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  if (dryRun) parameters.push({ $ref: '#/components/parameters/DryRun' });
  parameters.push({ $ref: '#/components/parameters/RequestId' });
  const body = form
    ? { type: 'multipart/form-data', schema: writer.write(form, 'input') }
    : { type: 'application/json', schema: from === 'body' ? withoutFields(schema, inPath, writer) : null };
  if (body.schema === null) return { parameters };
  return { parameters, requestBody: bodyOf(body.type, body.schema, writer, tried) };
}

function bodyOf(
  type: string,
  schema: JsonSchema,
  writer: SchemaWriter,
  tried: object,
): { required: boolean; content: Content } {
  const forms = formsOf(schema, writer);
  return {
    // An empty body counts as an empty object (B1.1), but as no form.
    required: type !== 'application/json' || forms.every(({ required = [] }) => required.length > 0),
    content: { [type]: { schema, ...examplesOf(forms, writer, tried) } },
  };
}

/** The smallest body first, which is what is sent by who tries the request out; then one with all fields for each form of it. */
function examplesOf(forms: readonly JsonSchema[], writer: SchemaWriter, tried: object): Media {
  const [first = {}] = forms;
  const smallest = { ...(smallestExample(first, writer) as object), ...tried };
  const whole = forms.map((form, index): [string, Example] => {
    const summary = forms.length === 1 ? 'With all fields' : (form.title ?? `Form ${index + 1}`);
    return [
      summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      { summary, value: exampleOf(form, writer) },
    ];
  });
  const isWhole = forms.length === 1 && JSON.stringify(smallest) === JSON.stringify(whole[0]?.[1].value);
  return isWhole
    ? { example: smallest }
    : { examples: { smallest: { summary: 'The smallest', value: smallest }, ...Object.fromEntries(whole) } };
}

/** Whether no value of a parameter is right for all: an id, a date, a place in a list. */
function isOwn(name: string, { format, items }: JsonSchema): boolean {
  const formats = [format, typeof items === 'object' && !Array.isArray(items) ? items.format : undefined];
  return (
    name === 'cursor' ||
    /^id$|Ids?$/.test(name) ||
    formats.some((each) => each === 'uuid' || each === 'date-time' || each === 'date')
  );
}

function parameter(
  place: 'path' | 'query',
  name: string,
  required: boolean,
  given: JsonSchema | boolean,
  writer: SchemaWriter,
): Parameter {
  const whole = withoutNull(given === true ? { type: 'string', format: 'uuid' } : given);
  if (typeof whole === 'boolean') return { name, in: place, required, schema: {} };
  const { description, examples, ...schema } = whole;
  const example = isOwn(name, writer.resolve(schema))
    ? undefined
    : (examples?.[0] ?? exampleOf(schema, writer));
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
