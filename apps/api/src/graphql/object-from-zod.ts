import type { FieldMap, ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { interfacesOf } from './node.ts';
import { type WalkedField, walkZod } from './walk-zod.ts';

type AnyObject = ObjectRef<SchemaTypes, unknown>;

/** As in `input-from-zod`: the one call that generated fields need. */
type FieldMaker = (options: {
  type: unknown;
  nullable: unknown;
  description?: string;
  resolve(parent: unknown): unknown;
}) => FieldMap[string];

const objects = walkZod<AnyObject>({
  side: 'output',
  suffix: '',
  make(name, fields) {
    const ref = builder.objectRef<unknown>(name);
    ref.implement({
      interfaces: interfacesOf(name) as never,
      fields: (t) => outputFields(fields(), t.field.bind(t) as unknown as FieldMaker),
    });
    return ref;
  },
});

/**
 * The GraphQL object of an operation's output. Relations are added to it with `builder.objectFields`.
 *
 * @param name for a schema without a name
 */
export const objectFromZod = <S extends z.ZodType>(
  schema: S,
  name?: string,
): ObjectRef<SchemaTypes, z.output<S>> => objects.typeOf(schema, name) as ObjectRef<SchemaTypes, z.output<S>>;

function outputFields(fields: readonly WalkedField<AnyObject>[], make: FieldMaker): FieldMap {
  return Object.fromEntries(
    fields.map(({ field, type, nullable, nullableItems, description }) => [
      field,
      make({
        type,
        nullable: nullableItems === undefined ? nullable : { list: nullable, items: nullableItems },
        ...(description === undefined ? {} : { description }),
        resolve: (record) => (record as Record<string, unknown>)[field],
      }),
    ]),
  );
}
