import type { JsonSchema, SchemaWriter } from './json-schema.ts';

const ofFormat: Record<string, unknown> = {
  uuid: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90',
  'date-time': '2026-03-01T09:30:00.000Z',
  date: '2026-03-01',
  email: 'customer@example.com',
  uri: 'https://example.com/',
};

/**
 * An example of a schema, put together from the examples of its fields. It contains every field, so that readers see all of them.
 *
 * @returns undefined if a part has neither an example nor a schema that implies one
 */
export function exampleOf(schema: JsonSchema, writer: SchemaWriter, within: readonly string[] = []): unknown {
  const { $ref, examples } = schema;
  if (examples && examples.length > 0) return examples[0];
  if ($ref !== undefined) {
    if (within.includes($ref)) return undefined;
    return exampleOf(writer.resolve(schema), writer, [...within, $ref]);
  }
  if ('const' in schema) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const forms = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  if (forms.length > 0) return exampleOfForms(forms, writer, within);
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  switch (type) {
    case 'object':
      return objectExample(schema, writer, within);
    case 'array':
      return listExample(schema, writer, within);
    case 'string':
      return ofFormat[schema.format ?? ''];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'null':
      return null;
    default:
      return undefined;
  }
}

/** The smallest example of a body: the fields that it requires, or one field where it requires none. */
export function smallestExample(form: JsonSchema, writer: SchemaWriter): unknown {
  const whole = exampleOf(form, writer);
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return whole;
  const { required = [], properties = {} } = writer.resolve(form);
  const [anyField] = Object.entries(whole).find(([, value]) => value !== null) ?? [];
  const names = required.length > 0 ? required : anyField === undefined ? [] : [anyField];
  const entries = names.map((name) => {
    const field = properties[name];
    const isOwn =
      typeof field === 'object' && !field.examples && writer.resolve(field).properties !== undefined;
    return [name, isOwn ? smallestExample(field, writer) : (whole as Record<string, unknown>)[name]];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function exampleOfForms(
  forms: readonly (JsonSchema | boolean)[],
  writer: SchemaWriter,
  within: readonly string[],
): unknown {
  for (const form of forms) {
    if (typeof form === 'boolean') continue;
    const example = exampleOf(form, writer, within);
    if (example !== undefined) return example;
  }
  return undefined;
}

function objectExample(
  { properties = {} }: JsonSchema,
  writer: SchemaWriter,
  within: readonly string[],
): object {
  // A field that can only be null is one that this form does not use.
  const entries = Object.entries(properties).map(([name, each]) => [
    name,
    typeof each === 'boolean' || each.type === 'null' ? undefined : exampleOf(each, writer, within),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function listExample({ items }: JsonSchema, writer: SchemaWriter, within: readonly string[]): unknown {
  if (typeof items !== 'object' || Array.isArray(items)) return undefined;
  const item = exampleOf(items, writer, within);
  return item === undefined ? undefined : [item];
}
