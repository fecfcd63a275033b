import type { Context } from '@postrider/core/base/kernel';
import SchemaBuilder from '@pothos/core';

/** The context of resolvers. */
export interface GraphqlContext {
  ctx: Context;
}

interface Types {
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    /** ISO 8601; inputs are passed on unchanged, since the operation validates dates */
    DateTime: { Input: unknown; Output: string };
    EmailAddress: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
  };
}

/** The builder's types with Pothos' defaults filled in, as in its references. */
export type SchemaTypes = PothosSchemaTypes.ExtendDefaultTypes<Types>;

/** Defines no types itself: each area adds its own. */
export const builder = new SchemaBuilder<Types>({
  defaultFieldNullability: false,
});

builder.queryType({});
builder.mutationType({});
