import type { Context, Operation } from '@postrider/core/kernel';
import type { ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { pascal } from './field-name.ts';
import { argsFromZod, inputFromZod } from './input-from-zod.ts';

/** Pothos' types of a resolver cannot be told while the record's own type is open. */
type AnyObject = ObjectRef<SchemaTypes, unknown>;

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
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, { ctx }) => operation.runRaw(ctx, { id }),
    }),
  );
}

/** A query with the fields of the operation's input as its arguments, without those left out. */
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
  /** what of the output is answered, where it is not the whole */
  result?: (output: Output) => Result;
  /** who runs it, where it is not the secret key itself */
  as?: (ctx: Context) => Context;
}

/** A command of the operation's own name, with its input as one argument. */
export function mutationField<Output, Result = Output>(
  field: string,
  operation: Operation<z.ZodType, z.ZodType<Output>>,
  type: ObjectRef<SchemaTypes, Result>,
  { result, as = (ctx) => ctx }: MutationOptions<Output, Result> = {},
): void {
  const Input = inputFromZod(operation.input, `${pascal(field)}Input`);
  builder.mutationField(field, (t) =>
    t.field({
      type: type as AnyObject,
      description: operation.summary,
      extensions: { operation: operation.name },
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_root, { input }, { ctx }) => {
        const output = await operation.runRaw(as(ctx), input);
        return result ? result(output) : output;
      },
    }),
  );
}

/** Deletes one record by its id and answers that id. */
export function deletionField(field: string, operation: Operation): void {
  builder.mutationField(field, (t) =>
    t.id({
      description: `${operation.summary.replace(/[.]$/, '')}. Returns the id.`,
      extensions: { operation: operation.name },
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { ctx }) => {
        await operation.runRaw(ctx, { id });
        return id;
      },
    }),
  );
}
