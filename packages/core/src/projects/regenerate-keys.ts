import { command } from '../kernel/index.ts';
import { newKeys } from './keys.ts';
import { presentProject } from './present-project.ts';
import { projectIdInput, projectOutput } from './projects.schema.ts';
import { changeProject } from './projects.store.ts';
import { requireMembership } from './require-membership.ts';

export const regenerateKeys = command({
  name: 'projects.regenerateKeys',
  summary: 'Rotates both keys of a project; the old keys stop working immediately',
  permission: 'account',
  input: projectIdInput,
  output: projectOutput,
  async handler(ctx, { id }) {
    const { role } = await requireMembership(ctx, id, ['OWNER', 'ADMIN']);
    const row = await changeProject(ctx.db, id, newKeys(ctx.services.secrets, id));
    ctx.audit({ targetType: 'project', targetId: id, projectId: id, changed: ['public', 'secret'] });
    return presentProject(ctx.services.secrets, row, role);
  },
});
