import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../builder.ts';
import { argsFromZod } from '../input-from-zod.ts';
import { loaderOf, type ManyById } from '../loaders.ts';

/** Pothos cannot infer the types of a resolver while the types are generic. */
type AnyObject = ObjectRef<SchemaTypes, object>;

/**
 * A record that others refer to by id. All of one response are looked up together, so that a request never makes one
 * query per row; a deleted record is null.
 */
export function relationField<Parent, Related extends { id: string }>(
  parent: ObjectRef<SchemaTypes, Parent>,
  field: string,
  type: ObjectRef<SchemaTypes, Related>,
  operation: ManyById<Related>,
  idOf: (parent: Parent) => string | null,
  description = `The ${field}; null without one, or once it is deleted.`,
): void {
  builder.objectField(parent, field, (t) =>
    t.field({
      type: type as ObjectRef<SchemaTypes, unknown> as AnyObject,
      nullable: true,
      description,
      extensions: { operation: operation.name },
      resolve: (record, _args, context) => {
        const id = idOf(record as Parent);
        return id === null ? null : loaderOf(context, operation).load(id);
      },
    }),
  );
}

/** Data that belongs to each record of a response, loaded for all of them at once; null if the record was deleted meanwhile. */
export function attachedField<Parent extends { id: string }, Key extends string, Attached extends object>(
  parent: ObjectRef<SchemaTypes, Parent>,
  field: string,
  type: ObjectRef<SchemaTypes, Attached>,
  operation: ManyById<{ id: string } & { [name in Key]: Attached }>,
  key: Key,
  description: string,
): void {
  builder.objectField(parent, field, (t) =>
    t.field({
      type: type as ObjectRef<SchemaTypes, unknown> as AnyObject,
      nullable: true,
      description,
      extensions: { operation: operation.name },
      args: argsFromZod(operation.input, `${parent.name}${field}`, t.arg, ['ids']),
      resolve: async (record, args, context) => {
        const found = await loaderOf(context, operation, args).load((record as Parent).id);
        return found ? (found[key] as never) : null;
      },
    }),
  );
}

/** A short list that belongs to each record of a response, loaded for all of them at once. */
export function attachedList<Parent extends { id: string }, Key extends string, Item extends object>(
  parent: ObjectRef<SchemaTypes, Parent>,
  field: string,
  item: ObjectRef<SchemaTypes, Item>,
  operation: ManyById<{ id: string } & { [name in Key]: Item[] }>,
  key: Key,
  description: string,
): void {
  builder.objectField(parent, field, (t) =>
    t.field({
      type: [item as ObjectRef<SchemaTypes, unknown> as AnyObject],
      description,
      extensions: { operation: operation.name },
      args: argsFromZod(operation.input, `${parent.name}${field}`, t.arg, ['ids']),
      resolve: async (record, args, context) => {
        const found = await loaderOf(context, operation, args).load((record as Parent).id);
        return found ? found[key] : [];
      },
    }),
  );
}
