import type { Context, Operation } from '@postrider/core/kernel';
import type { ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';

/** The most ids that an operation with `idList` accepts at once. */
const maxBatchSize = 1_000;

type ManyById<Record> = Operation<z.ZodType, z.ZodType<Record[]>>;

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
): void {
  builder.objectField(parent, field, (t) =>
    t.loadable({
      type: type as ObjectRef<SchemaTypes, object>,
      nullable: true,
      loaderOptions: { maxBatchSize },
      load: (ids: string[], { ctx }) => inOrder(ctx, operation, ids, (record) => record),
      resolve: (record) => idOf(record as Parent),
    }),
  );
}

/** Data that belongs to each record of a response, loaded for all of them at once. */
export function attachedField<Parent extends { id: string }, Key extends string, Attached extends object>(
  parent: ObjectRef<SchemaTypes, Parent>,
  field: string,
  type: ObjectRef<SchemaTypes, Attached>,
  operation: ManyById<{ id: string } & { [name in Key]: Attached }>,
  key: Key,
): void {
  builder.objectField(parent, field, (t) =>
    t.loadable({
      type: type as ObjectRef<SchemaTypes, object>,
      nullable: true,
      loaderOptions: { maxBatchSize },
      load: (ids: string[], { ctx }) => inOrder(ctx, operation, ids, (record) => record[key]),
      resolve: (record) => (record as Parent).id,
    }),
  );
}

async function inOrder<Record extends { id: string }, Result>(
  ctx: Context,
  operation: ManyById<Record>,
  ids: string[],
  resultOf: (record: Record) => Result,
): Promise<(Result | null)[]> {
  const records = await operation.run(ctx, { ids });
  const byId = new Map(records.map((record) => [record.id, record]));
  return ids.map((id) => {
    const record = byId.get(id);
    return record ? resultOf(record) : null;
  });
}
