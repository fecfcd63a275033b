import type { JsonSchema } from './json-schema.ts';

/** Names of the schemas that come back often, by the text of the schema. */
export type Named = ReadonlyMap<string, string>;

/** Replaces every part that equals a named record by a reference to it. */
export function withNames(schema: JsonSchema, named: Named): JsonSchema {
  const name = named.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  const entries = Object.entries(schema).map(([key, value]) => [key, replaceIn(value, named)]);
  return Object.fromEntries(entries) as JsonSchema;
}

function replaceIn(value: unknown, named: Named): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, named));
  return typeof value === 'object' && value !== null ? withNames(value as JsonSchema, named) : value;
}
