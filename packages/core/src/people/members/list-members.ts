import { projectIdOf, query } from '../../base/kernel/index.ts';
import { accessDenied } from '../projects/index.ts';
import { listMembersInput, membersOutput } from './members.schema.ts';
import { findMembers } from './members.store.ts';

export const listMembers = query({
  name: 'members.list',
  summary: 'Lists the members of a project and its pending invitations.',
  permission: 'project:read',
  input: listMembersInput,
  output: membersOutput,
  async handler(ctx, { id }) {
    if (id !== projectIdOf(ctx)) throw accessDenied();
    return findMembers(ctx.db, id);
  },
});
