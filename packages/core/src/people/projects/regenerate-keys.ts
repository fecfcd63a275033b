import { command, newKeys } from '../../base/kernel/index.ts';
import { presentProject } from './present-project.ts';
import { projectOutput, regenerateKeysInput } from './projects.schema.ts';
import { changeProject, environmentOf } from './projects.store.ts';
import { requireMembership } from './require-membership.ts';
import { endRotatedKeys, keepRotatedKeys } from './rotated-keys.store.ts';

const hourMs = 3_600_000;

export const regenerateKeys = command({
  name: 'projects.regenerateKeys',
  summary:
    'Replaces both keys of a project; the old pair stops working after `graceHours`, by default immediately',
  permission: 'account',
  risk: 'closed',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN'],
  input: regenerateKeysInput,
  output: projectOutput,
  async handler(ctx, { id, graceHours = 0 }) {
    const { role } = await requireMembership(ctx, id, ['OWNER', 'ADMIN']);
    if (graceHours > 0) await keepRotatedKeys(ctx.db, id, new Date(Date.now() + graceHours * hourMs));
    // A rotation without a grace time is the answer to a leak: pairs of earlier rotations end with it.
    else await endRotatedKeys(ctx.db, id);
    const environment = await environmentOf(ctx.db, id);
    const row = await changeProject(ctx.db, id, newKeys(ctx.services.secrets, { id, environment }));
    ctx.audit({ targetType: 'project', targetId: id, projectId: id, changed: ['public', 'secret'] });
    return presentProject(ctx.services.secrets, row, role);
  },
});
