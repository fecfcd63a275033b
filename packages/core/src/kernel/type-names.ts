import { z } from 'zod';

/**
 * Names of schemas in the public contracts (GraphQL types). A schema keeps its name through `.describe()` and `.refine()`; one
 * without a name is called after the field that uses it.
 */
export const typeNames = z.registry<{ name: string }>();

export const typeNameOf = (schema: z.core.$ZodType): string | undefined => typeNames.get(schema)?.name;

/** An enum under a name of its own. Its words are its `options`. */
export const namedEnum = <const Values extends readonly [string, ...string[]]>(
  name: string,
  values: Values,
) => z.enum(values).register(typeNames, { name });
