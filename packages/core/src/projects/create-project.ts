import { AppError, command, newId, userIdOf } from '../kernel/index.ts';
import { newKeys, newWebhookSecret } from './keys.ts';
import { presentProject } from './present-project.ts';
import { createProjectInput, projectOutput } from './projects.schema.ts';
import { insertProject, ownsDisabledProject } from './projects.store.ts';

export const createProject = command({
  name: 'projects.create',
  summary: 'Creates a project with its keys; the caller becomes its owner',
  permission: 'account',
  errors: ['PROJECT_DISABLED'],
  input: createProjectInput,
  output: projectOutput,
  async handler(ctx, { name }) {
    const { db, services } = ctx;
    const userId = userIdOf(ctx);
    if (await ownsDisabledProject(db, userId)) {
      throw new AppError('PROJECT_DISABLED', 'One of your projects is disabled', {
        suggestion: 'Open that project in the dashboard to see why',
      });
    }
    const id = newId();
    const webhookSecretCipher = newWebhookSecret(services.secrets, id);
    const project = { id, name, ...newKeys(services.secrets, id), webhookSecretCipher };
    const row = await insertProject(db, project, userId);
    ctx.audit({ targetType: 'project', targetId: row.id, projectId: row.id });
    return presentProject(services.secrets, row, 'OWNER');
  },
});
