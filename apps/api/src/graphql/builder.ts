import type { Context } from '@postrider/core/base/kernel';
import SchemaBuilder from '@pothos/core';

/** The context of resolvers. */
export interface GraphqlContext {
  ctx: Context;
  /** absent where no mutation of the request has an idempotency key */
  keys?: RequestKeys;
}

/** The idempotency keys of a request, besides the arguments of its mutations. */
export interface RequestKeys {
  /** the header, for the one mutation that has no argument */
  header: string | undefined;
  /** of the body of the request (RFC 9530) */
  bodyDigest: string | undefined;
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
