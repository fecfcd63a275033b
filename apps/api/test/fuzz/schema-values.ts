import fc from 'fast-check';
import { type Json, resolved } from '../openapi-walk.ts';
import { hostileValue } from './json-values.ts';

/** Values that a JSON schema of the OpenAPI document describes, and now and then one that it does not. */
export function describedValue(document: Json, given: Json, depth = 0): fc.Arbitrary<Json> {
  const schema = resolved(document, given) ?? {};
  const wanted = described(document, schema, depth);
  return depth === 0
    ? wanted
    : fc.oneof({ weight: 24, arbitrary: wanted }, { weight: 1, arbitrary: hostileValue });
}

function described(document: Json, schema: Json, depth: number): fc.Arbitrary<Json> {
  if (depth > 6) return fc.constant(null);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((each: Json) => describedValue(document, each, depth + 1)));
  const [type] = [schema.type].flat();
  if (type === 'object') return objectOf(document, schema, depth);
  if (type === 'array')
    return fc.array(describedValue(document, schema.items ?? {}, depth + 1), {
      minLength: Math.min(schema.minItems ?? 0, 3),
      maxLength: 4,
    });
  if (type === 'string') return textOf(schema);
  if (type === 'integer' || type === 'number') return numberOf(schema, type === 'integer');
  if (type === 'boolean') return fc.boolean();
  return type === 'null' ? fc.constant(null) : hostileValue;
}

function objectOf(
  document: Json,
  { properties = {}, required = [] }: Json,
  depth: number,
): fc.Arbitrary<Json> {
  const fields = Object.entries<Json>(properties).map(([name, each]): [string, fc.Arbitrary<Json>] => [
    name,
    describedValue(document, each, depth + 1),
  ]);
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: required.filter((name: string) => name in properties),
  });
}

function textOf({ format, examples, minLength = 0, maxLength = 60 }: Json): fc.Arbitrary<string> {
  const shown = Array.isArray(examples) ? examples.filter((each) => typeof each === 'string') : [];
  const random = fc.string({
    unit: 'grapheme',
    minLength: Math.min(minLength, 60),
    maxLength: Math.min(maxLength, 80),
  });
  const formats: Record<string, fc.Arbitrary<string>> = {
    email: fc.emailAddress(),
    uuid: fc.uuid(),
    'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    uri: fc.webUrl(),
  };
  return fc.oneof(
    random,
    ...(shown.length > 0 ? [fc.constantFrom(...shown)] : []),
    formats[format] ?? random,
  );
}

function numberOf({ minimum = -1e6, maximum = 1e6 }: Json, whole: boolean): fc.Arbitrary<number> {
  const bounds = { min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31) };
  return whole ? fc.integer(bounds) : fc.double({ ...bounds, noNaN: true });
}
