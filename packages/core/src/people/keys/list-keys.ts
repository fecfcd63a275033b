import { query } from '../../base/kernel/index.ts';
import { requireMembership } from '../projects/index.ts';
import { listKeysInput, namedKeyList } from './keys.schema.ts';
import { findNamedKeys } from './keys.store.ts';

export const listKeys = query({
  name: 'keys.list',
  summary: 'Lists the named keys of a project, newest first',
  permission: 'account',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN'],
  input: listKeysInput,
  output: namedKeyList,
  async handler(ctx, { id }) {
    await requireMembership(ctx, id, ['OWNER', 'ADMIN']);
    return findNamedKeys(ctx.db, id);
  },
});
