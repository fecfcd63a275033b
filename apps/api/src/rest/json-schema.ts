import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of what a caller sends (`input`) or gets (`output`). */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => simplify(zodSchema._zod.def.type, jsonSchema),
  });
  return jsonSchema;
}

function simplify(type: string, schema: JsonSchema): void {
  // JSON has no dates; ours are ISO 8601 text in both directions.
  if (type === 'date') Object.assign(schema, { type: 'string', format: 'date-time' });
  // Answers may carry further fields (behaviour, notation), unknown ones in requests are ignored (B1.1).
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  // The format says the same, readably.
  if (schema.format !== undefined) delete schema.pattern;
  if (isSafeInteger(schema.maximum)) delete schema.maximum;
  if (isSafeInteger(schema.minimum)) delete schema.minimum;
  // A field that names its own type is written once, not once per spelling that it accepts.
  if (schema.type !== undefined) delete schema.anyOf;
  if (type === 'record') delete schema.propertyNames;
}

const isSafeInteger = (bound: number | undefined): boolean =>
  bound !== undefined && Math.abs(bound) === Number.MAX_SAFE_INTEGER;

/** A query cannot say null; it leaves a parameter out. */
export function withoutNull(schema: JsonSchema | boolean): JsonSchema | boolean {
  if (typeof schema === 'boolean') return schema;
  if (Array.isArray(schema.type)) return { ...schema, type: schema.type.find((type) => type !== 'null') };
  const { anyOf, ...rest } = schema;
  const given = anyOf?.filter((each) => typeof each === 'boolean' || each.type !== 'null') ?? [];
  const [only] = given;
  if (given.length === 1 && typeof only === 'object') return { ...rest, ...only };
  return given.length > 0 ? { ...rest, anyOf: given } : rest;
}
