import type { InputFieldMap, InputObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { type WalkedField, walkZod } from './walk-zod.ts';

type AnyInput = InputObjectRef<SchemaTypes, object>;

/** The part of Pothos' field builders that generated fields need; the original types require each field to be written out. */
type FieldMaker = (options: {
  type: unknown;
  required: unknown;
  description?: string;
}) => InputFieldMap[string];

const inputs = walkZod<AnyInput>({
  side: 'input',
  suffix: 'Input',
  make(name, fields) {
    const ref = builder.inputRef<object>(name);
    ref.implement({ fields: (t) => inputFields(fields(), t.field.bind(t) as unknown as FieldMaker) });
    return ref;
  },
});

/**
 * The GraphQL input of an operation: enums, lists, nested objects and nullability as its schema has them. The
 * operation itself validates the values, so that all doors refuse the same input.
 */
export const inputFromZod = (schema: z.ZodType, name?: string): AnyInput => inputs.typeOf(schema, name);

/** The fields of an operation's input as arguments of a query, except for those in `leaveOut`. */
export function argsFromZod(
  schema: z.ZodType,
  name: string,
  arg: unknown,
  leaveOut: readonly string[] = [],
): InputFieldMap {
  const fields = inputs.fieldsOf(schema, name).filter(({ field }) => !leaveOut.includes(field));
  return inputFields(fields, arg as FieldMaker);
}

function inputFields(fields: readonly WalkedField<AnyInput>[], make: FieldMaker): InputFieldMap {
  return Object.fromEntries(
    fields.map(({ field, type, nullable, nullableItems, description }) => [
      field,
      make({
        type,
        required: nullableItems === undefined ? !nullable : { list: !nullable, items: !nullableItems },
        ...(description === undefined ? {} : { description }),
      }),
    ]),
  );
}
