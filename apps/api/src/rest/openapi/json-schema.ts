import { acceptedBy, typeNames } from '@postrider/core/base/kernel';
import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Side = 'input' | 'output';

const definitions = '#/$defs/';
const components = '#/components/schemas/';

/** zod's metadata of a schema. A named schema has its name as `id`, under which it is listed once. */
const metadata = {
  get(schema: z.core.$ZodType): Record<string, unknown> | undefined {
    const meta = z.globalRegistry.get(schema);
    return typeNames.has(schema as z.ZodType)
      ? { ...meta, id: typeNames.get(schema as z.ZodType)?.name }
      : meta;
  },
} as unknown as typeof z.globalRegistry;

/**
 * Writes zod schemas as JSON Schema and collects the named ones, which the document lists once and refers to. A schema that
 * differs between requests and replies gets a second name for the request.
 */
export class SchemaWriter {
  readonly components: Record<string, JsonSchema> = {};
  private readonly nameOfText = new Map<string, string>();

  /** The schema of a value that a caller sends (`input`) or receives (`output`). */
  write(schema: z.ZodType, side: Side): JsonSchema {
    const { $schema: _dialect, $defs = {}, ...root } = this.convert(schema, side);
    const names = new Map<string, string>();
    for (const name of Object.keys($defs)) names.set(name, this.nameFor(name, $defs, side));
    for (const [id, definition] of Object.entries($defs)) {
      const name = names.get(id) ?? id;
      this.components[name] ??= renamed(definition, names) as JsonSchema;
    }
    return renamed(root, names) as JsonSchema;
  }

  /** Follows a reference to its component. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref, ...rest } = schema;
    if ($ref === undefined) return schema;
    const target = this.components[$ref.slice(components.length)];
    if (!target) throw new Error(`the document has no component ${$ref}`);
    return { ...this.resolve(target), ...rest };
  }

  private convert(schema: z.ZodType, side: Side): JsonSchema {
    return z.toJSONSchema(schema, {
      io: side,
      target: 'draft-2020-12',
      metadata,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) =>
        this.correct(zodSchema as unknown as z.ZodType, jsonSchema, side),
    });
  }

  private correct(zodSchema: z.ZodType, schema: JsonSchema, side: Side): void {
    const accepted = acceptedBy(zodSchema);
    if (accepted) {
      const { description, examples } = schema;
      for (const key of Object.keys(schema)) delete schema[key];
      Object.assign(schema, this.write(accepted, side));
      if (description !== undefined) schema.description = description;
      if (examples !== undefined) schema.examples = examples;
    }
    const meta = z.globalRegistry.get(zodSchema);
    // zod omits examples of transformed fields from requests; these examples are values as they are sent.
    if (Array.isArray(meta?.['examples']) && schema.$ref === undefined) schema.examples ??= meta['examples'];
    simplify(zodSchema._zod.def.type, schema);
  }

  private nameFor(id: string, definitions_: Record<string, JsonSchema>, side: Side): string {
    if (id.startsWith('__')) throw new Error('a recursive schema needs an id');
    const text = JSON.stringify([id, reachable(id, definitions_)]);
    const known = this.nameOfText.get(text);
    if (known !== undefined) return known;
    const taken = new Set(this.nameOfText.values());
    const name = taken.has(id) ? `${id}${side === 'input' ? 'Input' : 'Output'}` : id;
    if (taken.has(name)) throw new Error(`two schemas are named ${name}`);
    this.nameOfText.set(text, name);
    return name;
  }
}

/** A definition with all that it refers to, by name. */
function reachable(id: string, all: Record<string, JsonSchema>, into: Record<string, unknown> = {}) {
  if (id in into) return into;
  const definition = all[id] ?? {};
  into[id] = definition;
  for (const [, name] of JSON.stringify(definition).matchAll(/"#\/\$defs\/([^"]+)"/g))
    reachable(name ?? '', all, into);
  return into;
}

/** Points references of one conversion at the components of the document. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== '$ref' || typeof item !== 'string' || !item.startsWith(definitions))
        return [key, renamed(item, names)];
      const id = item.slice(definitions.length);
      return [key, `${components}${names.get(id) ?? id}`];
    }),
  );
}

function simplify(type: string, schema: JsonSchema): void {
  // JSON has no dates: they are ISO 8601 text in both directions.
  if (type === 'date') Object.assign(schema, { type: 'string', format: 'date-time' });
  // Replies may carry further fields; the bodies of requests are closed where they are written.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  // The format states the same and is readable.
  if (schema.format !== undefined) delete schema.pattern;
  if (isSafeInteger(schema.maximum)) delete schema.maximum;
  if (isSafeInteger(schema.minimum)) delete schema.minimum;
  // A field with an explicit type is written once, not once per accepted form.
  if (schema.type !== undefined) delete schema.anyOf;
  if (type === 'record' && isPlainString(schema.propertyNames)) delete schema.propertyNames;
}

const isSafeInteger = (bound: number | undefined): boolean =>
  bound !== undefined && Math.abs(bound) === Number.MAX_SAFE_INTEGER;

const isPlainString = (names: unknown): boolean => JSON.stringify(names) === '{"type":"string"}';

/** A path and a query cannot contain null; a query omits the parameter instead. */
export function withoutNull(schema: JsonSchema | boolean): JsonSchema | boolean {
  if (typeof schema === 'boolean') return schema;
  if (Array.isArray(schema.type)) return { ...schema, type: schema.type.find((type) => type !== 'null') };
  const { anyOf, ...rest } = schema;
  const given = anyOf?.filter((each) => typeof each === 'boolean' || each.type !== 'null') ?? [];
  const [only] = given;
  if (given.length === 1 && typeof only === 'object') return { ...only, ...rest };
  return given.length > 0 ? { ...rest, anyOf: given } : rest;
}
