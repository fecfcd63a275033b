import { z } from 'zod';

/**
 * Names of schemas in the public contracts (GraphQL types). A schema keeps its name through `.describe()` and `.refine()`; a
 * schema without a name is named after the field that uses it.
 */
export const typeNames = z.registry<{ name: string }>();

export const typeNameOf = (schema: z.core.$ZodType): string | undefined => typeNames.get(schema)?.name;

/** A named enum. Its values are its `options`. */
export const namedEnum = <const Values extends readonly [string, ...string[]]>(
  name: string,
  values: Values,
) => z.enum(values).register(typeNames, { name });
