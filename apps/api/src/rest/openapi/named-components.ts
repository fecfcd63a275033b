import type { JsonSchema } from './json-schema.ts';
import { refTo, withParts } from './schema-walk.ts';

/** The key by which a schema states the name of its component. It is not published. */
export const statedName = 'x-name';

/**
 * Gives every object and every enum a component of its own, so that clients have named types (rule 1). A name is stated with the schema (its
 * registered name, or `x-name` where GraphQL calls it otherwise), or derived from the operation and the path of properties: it stays the same
 * whatever else the document lists.
 */
export class NamedComponents {
  readonly schemas: Record<string, JsonSchema> = {};

  /** Adds a component with what is inside it. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const stated = statedNameOf(schema) ?? name;
    const { [statedName]: _stated, ...own } = schema as JsonSchema & { [statedName]?: string };
    const whole = withVariableNames(stated, this.#partsOf(own, stated));
    const known = this.schemas[stated];
    if (known && shapeOf(known) !== shapeOf(whole))
      throw new Error(
        `two schemas would be named ${stated} in the document; state a name for one of them with the meta x-name`,
      );
    this.schemas[stated] ??= whole;
    return refTo(stated);
  }

  /** The schema, where objects and enums are references. Its own words stay at the place. */
  named(schema: JsonSchema, name: string): JsonSchema {
    if (!isNamed(schema)) return this.#partsOf(schema, name);
    const { description, examples, default: given, deprecated, ...bare } = schema;
    const isEnum = bare.enum !== undefined;
    const reference = this.add(name, {
      ...(description === undefined || isEnum ? {} : { description }),
      ...(examples === undefined || isEnum ? {} : { examples }),
      ...bare,
    });
    return {
      ...reference,
      ...(description === undefined ? {} : { description }),
      ...(examples === undefined ? {} : { examples }),
      ...(given === undefined ? {} : { default: given }),
      ...(deprecated === undefined ? {} : { deprecated }),
    };
  }

  #partsOf(schema: JsonSchema, name: string): JsonSchema {
    return withParts(schema, (part, [key, field = '']) => {
      if (key === 'properties') return this.named(part, `${name}${pascalOf(field)}`);
      if (key === 'items') return this.named(part, singularOf(name));
      if (key === 'additionalProperties') return this.named(part, `${name}Value`);
      return this.named(part, name);
    });
  }
}

/** Words of a place do not make it another schema. */
const shapeOf = ({ description: _description, examples: _examples, ...shape }: JsonSchema): string =>
  JSON.stringify(shape);

export const statedNameOf = (schema: JsonSchema): string | undefined =>
  (schema as { [statedName]?: string })[statedName];

/** A map is no named type in most languages. A union of named objects is one in all. */
const isNamed = (schema: JsonSchema): boolean =>
  schema.$ref === undefined &&
  (schema.properties !== undefined || schema.enum !== undefined || statedNameOf(schema) !== undefined);

/** `sending.send` → `SendingSend`, `X-Request-Id` → `XRequestId`, `NOT_FOUND` → `NotFound`. */
export const pascalOf = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z0-9]+$/.test(word) ? word.charAt(0) + word.slice(1).toLowerCase() : word))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

function singularOf(name: string): string {
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -3)}y`;
  if (/(ss|sh|ch|x)es$/.test(name)) return name.slice(0, -2);
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}

/** Constants of Go share one namespace, so those of an enum begin with its name (rule 5). */
function withVariableNames(name: string, schema: JsonSchema): JsonSchema {
  const { enum: values } = schema;
  if (values === undefined) return schema;
  const taken = new Set<string>();
  const names = values.map((value, index) => {
    const word = pascalOf(String(value));
    const given = word === '' || taken.has(word) ? `${word}Value${index + 1}` : word;
    taken.add(given);
    return `${name}${given}`;
  });
  return { ...schema, 'x-enum-varnames': names } as JsonSchema;
}
