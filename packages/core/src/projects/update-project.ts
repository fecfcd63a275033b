import { command } from '../kernel/index.ts';
import { presentProject } from './present-project.ts';
import { projectOutput, updateProjectInput } from './projects.schema.ts';
import { changeProject } from './projects.store.ts';
import { requireMembership } from './require-membership.ts';

export const updateProject = command({
  name: 'projects.update',
  summary: 'Updates the name, tracking or language of a project',
  permission: 'account',
  input: updateProjectInput,
  output: projectOutput,
  async handler(ctx, { id, name, tracking, language }) {
    const { role } = await requireMembership(ctx, id, ['OWNER', 'ADMIN']);
    const change = { name, tracking, language };
    const row = await changeProject(ctx.db, id, change);
    const changed = Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    ctx.audit({ targetType: 'project', targetId: id, projectId: id, changed });
    return presentProject(ctx.services.secrets, row, role);
  },
});
