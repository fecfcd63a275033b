import { query } from '../../base/kernel/index.ts';
import { presentProject } from './present-project.ts';
import { projectIdInput, projectOutput } from './projects.schema.ts';
import { findProject } from './projects.store.ts';
import { accessDenied, requireMembership } from './require-membership.ts';

export const getProject = query({
  name: 'projects.get',
  summary: 'Returns a project of the signed-in user, with the keys visible to their role',
  permission: 'account',
  input: projectIdInput,
  output: projectOutput,
  async handler(ctx, { id }) {
    const { role } = await requireMembership(ctx, id);
    const row = await findProject(ctx.db, id);
    if (!row) throw accessDenied();
    return presentProject(ctx.services.secrets, row, role);
  },
});
