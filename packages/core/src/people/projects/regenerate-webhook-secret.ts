import { command, newWebhookSecret } from '../../base/kernel/index.ts';
import { presentProject } from './present-project.ts';
import { projectIdInput, projectOutput } from './projects.schema.ts';
import { changeProject } from './projects.store.ts';
import { requireMembership } from './require-membership.ts';

export const regenerateWebhookSecret = command({
  name: 'projects.regenerateWebhookSecret',
  summary:
    'Replaces the secret that signs the requests of webhook steps; the old one stops being used immediately',
  permission: 'account',
  risk: 'closed',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN'],
  input: projectIdInput,
  output: projectOutput,
  async handler(ctx, { id }) {
    const { role } = await requireMembership(ctx, id, ['OWNER', 'ADMIN']);
    const { secrets } = ctx.services;
    const row = await changeProject(ctx.db, id, { webhookSecretCipher: newWebhookSecret(secrets, id) });
    ctx.audit({ targetType: 'project', targetId: id, projectId: id, changed: ['webhookSecret'] });
    return presentProject(secrets, row, role);
  },
});
