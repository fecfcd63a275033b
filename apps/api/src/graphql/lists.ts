import { cursorsOf, type Operation } from '@postrider/core/kernel';
import type { ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { argsFromZod } from './input-from-zod.ts';

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

interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

const PageInfoRef = builder.objectRef<PageInfo>('PageInfo').implement({
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage'),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage'),
    startCursor: t.exposeString('startCursor', { nullable: true }),
    endCursor: t.exposeString('endCursor', { nullable: true }),
  }),
});

interface Edge<Item> {
  cursor: string;
  node: Item;
}

interface Connection<Item> {
  edges: Edge<Item>[];
  pageInfo: PageInfo;
  totalCount: number;
}

/** A cursor list as a Relay connection with forward pagination (`first`, `after`). */
export function connectionField<Item extends object>(
  field: string,
  operation: ListOperation<CursorList<Item>>,
  item: ObjectRef<SchemaTypes, Item>,
  /** the value of the sort column, as stored in cursors */
  sortedBy: (item: Item, args: Record<string, unknown>) => string,
  /** the tie-breaker; default: the item's `id` */
  idOf: (item: Item) => string = (each) => (each as Item & { id: string }).id,
): void {
  const EdgeRef = builder.objectRef<Edge<Item>>(`${item.name}Edge`);
  EdgeRef.implement({
    fields: (t) => ({
      cursor: t.exposeString('cursor'),
      node: t.field({ type: item, resolve: (edge) => edge.node as never }),
    }),
  });
  const ConnectionRef = builder.objectRef<Connection<Item>>(`${item.name}Connection`);
  ConnectionRef.implement({
    fields: (t) => ({
      edges: t.field({ type: [EdgeRef], resolve: ({ edges }) => edges }),
      pageInfo: t.field({ type: PageInfoRef, resolve: ({ pageInfo }) => pageInfo }),
      totalCount: t.exposeInt('totalCount', { description: 'All matches; 0 on pages after the first' }),
    }),
  });
  builder.queryField(field, (t) =>
    t.field({
      type: ConnectionRef,
      description: operation.summary,
      extensions: { operation: operation.name },
      args: {
        first: t.arg.int({ description: '1 to 100, 20 when left out' }),
        after: t.arg.string(),
        ...argsFromZod(operation.input, item.name, t.arg, ['limit', 'cursor']),
      },
      resolve: async (_root, { first, after, ...filters }, { ctx }) => {
        const input = { ...filters, limit: first, cursor: after };
        const page = await operation.runRaw(ctx, input);
        const cursors = cursorsOf(operation.name, operation.input.parse(input) as { limit: number });
        return connectionOf(page, Boolean(after), (each) =>
          cursors.encode({ value: sortedBy(each, filters), id: idOf(each) }),
        );
      },
    }),
  );
}

function connectionOf<Item>(
  { data, cursor, hasMore, total }: CursorList<Item>,
  hasPreviousPage: boolean,
  cursorOf: (item: Item) => string,
): Connection<Item> {
  const edges = data.map((node) => ({ node, cursor: cursorOf(node) }));
  return {
    edges,
    totalCount: total,
    pageInfo: {
      hasNextPage: hasMore,
      hasPreviousPage,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: cursor ?? edges.at(-1)?.cursor ?? null,
    },
  };
}

/** A page list as an object with the same fields as in REST. */
export function pageField<Item>(
  field: string,
  operation: ListOperation<PageList<Item>>,
  item: ObjectRef<SchemaTypes, Item>,
): void {
  const PageRef = builder.objectRef<PageList<Item>>(`${item.name}Page`);
  PageRef.implement({
    fields: (t) => ({
      data: t.field({ type: [item], resolve: ({ data }) => data as never }),
      page: t.exposeInt('page'),
      pageSize: t.exposeInt('pageSize'),
      total: t.exposeInt('total'),
      totalPages: t.exposeInt('totalPages'),
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
