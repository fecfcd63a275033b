import { z } from 'zod';
import { projectIdOf, query, recordId } from '../../base/kernel/index.ts';
import { findTypes, nodeTypes } from './nodes.store.ts';

/** Ids that are looked up at once. */
const mostNodes = 100;

const isId = (id: string): boolean => recordId.safeParse(id).success;

/** What records ids belong to, of whatever type: GraphQL's `node` and `nodes` read them by the operation of their type. */
export const findNodes = query({
  name: 'search.findNodes',
  summary: 'Finds records of any type by their ids',
  permission: 'data:read',
  internal: true,
  input: z.object({ ids: z.array(z.string()).min(1).max(mostNodes) }),
  output: z.array(z.object({ id: recordId, type: z.enum(nodeTypes), parentId: recordId.nullable() })),
  handler: (ctx, { ids }) => findTypes(ctx.db, projectIdOf(ctx), ids.filter(isId)),
});
