import { cursorsOf, type Operation } from '@postrider/core/base/kernel';
import type { ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { connectionArgs, connectionOf, connectionType, type ListFlags } from './connections.ts';
import { argsFromZod } from './input-from-zod.ts';
import { loaderOf, type ManyById } from './loaders.ts';
import { isSelected } from './lookahead.ts';

interface CursorList<Item> {
  data: Item[];
  cursor: string | null;
  hasMore: boolean;
  total: number;
}

interface PageList<Item> {
  data: Item[];
  page: number;
  pageSize: number;
  total: number;
  totalPages: number;
}

type ListOperation<Output> = Operation<z.ZodType, z.ZodType<Output>>;

/** What a cursor stores of an item. */
interface Sorting<Item> {
  /** the value of the sort column */
  sortedBy: (item: Item, args: Record<string, unknown>) => string;
  /** the tie-breaker; default: the item's `id` */
  idOf?: (item: Item) => string;
}

const ownId = (item: object): string => (item as { id: string }).id;

/** A cursor list as a Relay connection with forward pagination (`first`, `after`). */
export function connectionField<Item extends object>(
  field: string,
  operation: ListOperation<CursorList<Item>>,
  item: ObjectRef<SchemaTypes, Item>,
  sortedBy: Sorting<Item>['sortedBy'],
  idOf: (item: Item) => string = ownId,
  flags: ListFlags = {},
): void {
  builder.queryField(field, (t) =>
    t.field({
      type: connectionType(item, flags),
      description: operation.summary,
      extensions: { operation: operation.name },
      args: {
        first: t.arg.int({ description: connectionArgs.first }),
        after: t.arg.string({ description: connectionArgs.after }),
        ...argsFromZod(operation.input, item.name, t.arg, ['limit', 'cursor']),
      },
      resolve: async (_root, { first, after, ...filters }, { ctx }) => {
        const input = { ...filters, limit: first, cursor: after || undefined };
        const page = await operation.runRaw(ctx, input);
        const cursors = cursorsOf(operation.name, operation.input.parse(input) as { limit: number });
        return connectionOf(page, Boolean(after), (each) =>
          cursors.encode({ value: sortedBy(each, filters), id: idOf(each) }),
        );
      },
    }),
  );
}

interface PageOfParent<Item> {
  id: string;
  data: Item[];
  hasMore: boolean;
  total: number;
}

interface Nested<Parent, Item> extends Sorting<Item> {
  description: string;
  /** input of the operation that the field itself gives, such as the column of the parent */
  fixed?: Readonly<Record<string, string>>;
  /** the parent's id; default: its `id` */
  parentId?: (parent: Parent) => string;
  flags?: ListFlags;
}

/** A list that belongs to a record, as a Relay connection. One statement reads it for all records of a response. */
export function nestedConnection<Parent extends object, Item extends object>(
  parent: ObjectRef<SchemaTypes, Parent>,
  field: string,
  operation: ManyById<PageOfParent<Item>>,
  item: ObjectRef<SchemaTypes, Item>,
  { description, fixed = {}, parentId = ownId, sortedBy, idOf = ownId, flags = {} }: Nested<Parent, Item>,
): void {
  const given = ['ids', 'limit', 'cursor', 'totals', ...Object.keys(fixed)];
  builder.objectField(parent, field, (t) =>
    t.field({
      type: connectionType(item, flags),
      description,
      extensions: { operation: operation.name },
      args: {
        first: t.arg.int({ description: connectionArgs.first }),
        after: t.arg.string({ description: connectionArgs.after }),
        ...argsFromZod(operation.input, `${parent.name}${item.name}`, t.arg, given),
      },
      resolve: async (record, { first, after, ...filters }, context, info) => {
        const input = { ...fixed, ...filters, limit: first, cursor: after || undefined };
        const totals = isSelected(info, 'totalCount');
        const loader = loaderOf(context, operation, { ...input, totals });
        const page = await loader.load(parentId(record as Parent));
        const {
          ids: _ids,
          totals: _totals,
          ...scope
        } = operation.input.parse({ ...input, ids: [] }) as {
          ids: string[];
          totals: boolean;
          limit: number;
        };
        const cursors = cursorsOf(operation.name, scope);
        return connectionOf(page ?? { data: [], hasMore: false, total: 0 }, Boolean(after), (each) =>
          cursors.encode({ value: sortedBy(each, filters), id: idOf(each) }),
        );
      },
    }),
  );
}

/** A page list as an object with the same fields as in REST. */
export function pageField<Item>(
  field: string,
  operation: ListOperation<PageList<Item>>,
  item: ObjectRef<SchemaTypes, Item>,
): void {
  const PageRef = builder.objectRef<PageList<Item>>(`${item.name}Page`);
  PageRef.implement({
    description: 'A page of a list.',
    fields: (t) => ({
      data: t.field({
        type: [item],
        description: 'The records of this page.',
        resolve: ({ data }) => data as never,
      }),
      page: t.exposeInt('page', { description: 'Number of this page, from 1.' }),
      pageSize: t.exposeInt('pageSize', { description: 'Records per page.' }),
      total: t.exposeInt('total', { description: 'Number of all matches.' }),
      totalPages: t.exposeInt('totalPages', { description: 'Number of pages; 0 when nothing matches.' }),
    }),
  });
  builder.queryField(field, (t) =>
    t.field({
      type: PageRef,
      description: operation.summary,
      extensions: { operation: operation.name },
      args: argsFromZod(operation.input, item.name, t.arg),
      resolve: (_root, args, { ctx }) => operation.runRaw(ctx, args),
    }),
  );
}
