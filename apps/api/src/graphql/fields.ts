import { assertMayMutate, type Context, type Operation } from '@postrider/core/base/kernel';
import type { ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { pascal } from './field-name.ts';
import { argsFromZod, inputFromZod } from './input-from-zod.ts';

/** Pothos cannot infer the types of a resolver while the type of the record is generic. */
type AnyObject = ObjectRef<SchemaTypes, unknown>;

/** Describes the one argument of a mutation. */
export const inputText = 'What the operation is given.';

/** One record by its id; an unknown id is an error with its code, not null (behaviour B4.21). */
export function recordField<Output>(
  field: string,
  operation: Operation<z.ZodType, z.ZodType<Output>>,
  type: ObjectRef<SchemaTypes, Output>,
): void {
  builder.queryField(field, (t) =>
    t.field({
      type: type as AnyObject,
      description: operation.summary,
      extensions: { operation: operation.name },
      args: argsFromZod(operation.input, pascal(field), t.arg),
      resolve: (_root, args, { ctx }) => operation.runRaw(ctx, args),
    }),
  );
}

/** A query whose arguments are the fields of the operation's input, except for those in `leaveOut`. */
export function queryField<Output>(
  field: string,
  operation: Operation<z.ZodType, z.ZodType<Output>>,
  type: ObjectRef<SchemaTypes, Output> | ListOf<Output>,
  { leaveOut = [] }: { leaveOut?: readonly string[] } = {},
): void {
  builder.queryField(field, (t) =>
    t.field({
      type: type as AnyObject,
      description: operation.summary,
      extensions: { operation: operation.name },
      args: argsFromZod(operation.input, pascal(field), t.arg, leaveOut),
      resolve: (_root, args, { ctx }) => operation.runRaw(ctx, args),
    }),
  );
}

type ListOf<Output> = Output extends (infer Item)[] ? [ObjectRef<SchemaTypes, Item>] : never;

interface MutationOptions<Output, Result> {
  /** the part of the output that is returned; default: all of it */
  result?: (output: Output) => Result;
  /** the context to run it in, if not that of the secret key */
  as?: (ctx: Context) => Context;
}

/** A mutation for an operation, with its input as one argument. */
export function mutationField<Output, Result = Output>(
  field: string,
  operation: Operation<z.ZodType, z.ZodType<Output>>,
  type: ObjectRef<SchemaTypes, Result> | ListOf<Result>,
  { result, as = (ctx) => ctx }: MutationOptions<Output, Result> = {},
): void {
  const Input = inputFromZod(operation.input, `${pascal(field)}Input`);
  builder.mutationField(field, (t) =>
    t.field({
      type: type as AnyObject,
      description: operation.summary,
      extensions: { operation: operation.name },
      args: { input: t.arg({ type: Input, required: true, description: inputText }) },
      resolve: async (_root, { input }, { ctx }) => {
        assertMayMutate(ctx.actor);
        const output = await operation.runRaw(as(ctx), input);
        return result ? result(output) : output;
      },
    }),
  );
}

/** Deletes one record by its id and returns that id. */
export function deletionField(field: string, operation: Operation): void {
  builder.mutationField(field, (t) =>
    t.id({
      description: `${operation.summary.replace(/[.]$/, '')}. Returns the id.`,
      extensions: { operation: operation.name },
      args: { id: t.arg.id({ required: true, description: 'Id of the record.' }) },
      resolve: async (_root, { id }, { ctx }) => {
        assertMayMutate(ctx.actor);
        await operation.runRaw(ctx, { id });
        return id;
      },
    }),
  );
}
