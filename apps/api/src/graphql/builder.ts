import type { Context } from '@postrider/core/kernel';
import SchemaBuilder from '@pothos/core';
import DataloaderPlugin from '@pothos/plugin-dataloader';

/** What resolvers know of a request. */
export interface GraphqlContext {
  ctx: Context;
}

interface Types {
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    /** ISO 8601; inputs are passed on as they come, since the operation decides what names an instant */
    DateTime: { Input: unknown; Output: string };
    JSON: { Input: unknown; Output: unknown };
  };
}

/** The builder's types with Pothos' defaults filled in, as its references carry them. */
export type SchemaTypes = PothosSchemaTypes.ExtendDefaultTypes<Types>;

/** Knows no types: each area adds its own. */
export const builder = new SchemaBuilder<Types>({
  plugins: [DataloaderPlugin],
  defaultFieldNullability: false,
});

builder.queryType({});
builder.mutationType({});
