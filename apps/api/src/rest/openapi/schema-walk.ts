import type { JsonSchema } from './json-schema.ts';

const componentPath = '#/components/schemas/';

export const refTo = (name: string): JsonSchema => ({ $ref: `${componentPath}${name}` });

/** The name of the component that a schema refers to. */
export const referredTo = ({ $ref }: JsonSchema): string | undefined =>
  $ref?.startsWith(componentPath) ? $ref.slice(componentPath.length) : undefined;

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The branches of a union. */
export const branchesOf = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] | undefined =>
  (oneOf ?? anyOf)?.map((branch) => (isSchema(branch) ? branch : {}));

/** The fields of an object. */
export const fieldsOf = ({ properties = {} }: JsonSchema): [string, JsonSchema][] =>
  Object.entries(properties).map(([name, field]) => [name, isSchema(field) ? field : {}]);

/** The schema of the values of a map, that is an object with fields of any name. */
export const valuesOf = ({ additionalProperties: values }: JsonSchema): JsonSchema | undefined =>
  isSchema(values) ? values : values === true ? {} : undefined;

/** The single types of a schema. */
export const typesOf = ({ type }: JsonSchema): string[] =>
  Array.isArray(type) ? type : type === undefined ? [] : [type];

/** Every part of a schema is replaced by what `change` makes of it; the schema itself is not. */
export function withParts(
  schema: JsonSchema,
  change: (part: JsonSchema, at: readonly string[]) => JsonSchema,
): JsonSchema {
  const copy = { ...schema };
  if (copy.properties)
    copy.properties = Object.fromEntries(
      fieldsOf(copy).map(([name, field]) => [name, change(field, ['properties', name])]),
    );
  if (isSchema(copy.items)) copy.items = change(copy.items, ['items']);
  if (isSchema(copy.additionalProperties))
    copy.additionalProperties = change(copy.additionalProperties, ['additionalProperties']);
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = copy[key];
    if (branches)
      copy[key] = branches.map((branch, index) =>
        isSchema(branch) ? change(branch, [key, String(index)]) : branch,
      );
  }
  return copy;
}
