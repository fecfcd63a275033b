import { assertMayMutate, badRequest, type Context, type Operation } from '@postrider/core/base/kernel';
import type { ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { pascal } from './field-name.ts';
import { declareKeyed, keyArgumentText, withKey } from './idempotency.ts';
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
}

/** A mutation for an operation, with its input as one argument. */
export function mutationField<Output, Result = Output>(
  field: string,
  operation: Operation<z.ZodType, z.ZodType<Output>>,
  type: ObjectRef<SchemaTypes, Result> | ListOf<Result>,
  { result }: MutationOptions<Output, Result> = {},
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
        const output = await operation.runRaw(ctx, input);
        return result ? result(output) : output;
      },
    }),
  );
}

/**
 * A mutation that also takes an idempotency key (behaviour B8.4).
 *
 * @param takesKey whether an input may have one
 */
export function keyedMutationField<Output>(
  field: string,
  operation: Operation<z.ZodType, z.ZodType<Output>>,
  type: ObjectRef<SchemaTypes, Output>,
  {
    as = (ctx) => ctx,
    takesKey = () => true,
  }: {
    /** the context to run it in, if not that of the secret key */
    as?: (ctx: Context) => Context;
    takesKey?: (input: object) => boolean;
  } = {},
): void {
  const Input = inputFromZod(operation.input, `${pascal(field)}Input`);
  declareKeyed(field);
  builder.mutationField(field, (t) =>
    t.field({
      type: type as AnyObject,
      description: operation.summary,
      extensions: { operation: operation.name },
      args: {
        input: t.arg({ type: Input, required: true, description: inputText }),
        idempotencyKey: t.arg.string({ description: keyArgumentText }),
      },
      resolve: async (_root, { input, idempotencyKey }, { ctx, keys }) => {
        assertMayMutate(ctx.actor);
        const keyed = await withKey(as(ctx), operation, idempotencyKey, keys);
        if (keyed.request.idempotencyKey !== undefined && !takesKey(input)) throw keyless();
        return operation.runRaw(keyed, input);
      },
    }),
  );
}

const keyless = () =>
  badRequest('An input of this form takes no idempotency key', {
    suggestion: 'Name the contact by "email" and the event by "event", or leave the key out',
  });

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
