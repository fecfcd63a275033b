import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from './builder.ts';

export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

const PageInfoRef = builder.objectRef<PageInfo>('PageInfo').implement({
  description: 'The position of a page in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether another page follows.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description: 'Whether the page was requested with `after`.',
    }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'Cursor of the first edge; null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Cursor of the last edge, which is the `after` of the next page; null on an empty page.',
    }),
  }),
});

interface Edge<Item> {
  cursor: string;
  node: Item;
}

export interface Connection<Item> {
  edges: Edge<Item>[];
  pageInfo: PageInfo;
  totalCount: number;
  flags: Readonly<Record<string, unknown>>;
}

/** Arguments of a connection. */
export const connectionArgs = {
  first: 'Records per page, 1 to 100. Default 20; values out of range are clamped.',
  after:
    'Where the page begins: a cursor of the previous page, or empty. Valid only for the same list with the same filters.',
} as const;

/** What a list says of itself beside its records, by name: descriptions. */
export type ListFlags = Readonly<Record<string, string>>;

const made = new Map<string, ObjectRef<SchemaTypes, Connection<object>>>();

/** The Relay connection of a type. All lists of it have the same flags. */
export function connectionType<Item extends object>(
  item: ObjectRef<SchemaTypes, Item>,
  flags: ListFlags = {},
): ObjectRef<SchemaTypes, Connection<Item>> {
  const known = made.get(item.name);
  if (known) return known as ObjectRef<SchemaTypes, unknown> as ObjectRef<SchemaTypes, Connection<Item>>;
  const EdgeRef = builder.objectRef<Edge<Item>>(`${item.name}Edge`);
  EdgeRef.implement({
    description: 'A record of a list with its cursor.',
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'Pass it as `after` to continue after this record.' }),
      node: t.field({ type: item, description: 'The record.', resolve: (edge) => edge.node as never }),
    }),
  });
  const ConnectionRef = builder.objectRef<Connection<Item>>(`${item.name}Connection`);
  ConnectionRef.implement({
    description: 'A page of a list.',
    fields: (t) => ({
      edges: t.field({
        type: [EdgeRef],
        description: 'The records of this page.',
        resolve: ({ edges }) => edges,
      }),
      pageInfo: t.field({
        type: PageInfoRef,
        description: 'The position of the page in the list.',
        resolve: ({ pageInfo }) => pageInfo,
      }),
      totalCount: t.exposeInt('totalCount', {
        description: 'Number of all matches, on the first page; 0 on pages after it.',
      }),
      ...Object.fromEntries(
        Object.entries(flags).map(([name, description]) => [
          name,
          t.boolean({ description, resolve: (connection) => connection.flags[name] === true }),
        ]),
      ),
    }),
  });
  made.set(item.name, ConnectionRef as ObjectRef<SchemaTypes, unknown> as never);
  return ConnectionRef;
}

export function connectionOf<Item>(
  { data, hasMore, total, ...flags }: { data: Item[]; hasMore: boolean; total: number },
  hasPreviousPage: boolean,
  cursorOf: (item: Item) => string,
): Connection<Item> {
  const edges = data.map((node) => ({ node, cursor: cursorOf(node) }));
  return {
    edges,
    flags,
    totalCount: total,
    pageInfo: {
      hasNextPage: hasMore,
      hasPreviousPage,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
