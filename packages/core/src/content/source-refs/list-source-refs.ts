import { badRequest, cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { listSourceRefsInput, removeSourceRefInput, sourceRefList } from './source-refs.schema.ts';
import { countSourceRefs, findSourceRefs, type SourceRefKey } from './source-refs.store.ts';

/** The sort value of a cursor. Only the last part may have blanks. */
export const sourceRefKey = ({ source, kind, sourceId }: SourceRefKey): string =>
  `${source} ${kind} ${sourceId}`;

function readKey(value: string): SourceRefKey {
  const [source, kind, ...rest] = value.split(' ');
  const { data } = removeSourceRefInput.safeParse({ source, kind, sourceId: rest.join(' ') });
  if (!data) throw badRequest('Invalid cursor');
  return data;
}

export const listSourceRefs = query({
  name: 'sourceRefs.list',
  summary: 'Lists which records the ids of other services mean, by service, kind and id',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listSourceRefsInput,
  output: sourceRefList,
  async handler(ctx, input) {
    const { limit, source, kind } = input;
    const cursors = cursorsOf('sourceRefs.list', input);
    const keyset = cursors.after('text');
    const search = { projectId: projectIdOf(ctx), source, kind };
    const [rows, total] = await Promise.all([
      findSourceRefs(ctx.db, search, keyset && readKey(keyset.value), limit + 1),
      keyset ? 0 : countSourceRefs(ctx.db, search),
    ]);
    return cursors.page(rows, sourceRefKey, total);
  },
});
