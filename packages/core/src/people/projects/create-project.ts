import {
  AppError,
  command,
  conflict,
  newKeys,
  newWebhookSecret,
  suggestions,
  userIdOf,
} from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { presentProject } from './present-project.ts';
import { createProjectInput, projectOutput } from './projects.schema.ts';
import { countOwnedProjects, insertProject, ownsDisabledProject } from './projects.store.ts';

export const createProject = command({
  name: 'projects.create',
  summary: 'Creates a project with its keys; the caller becomes its owner',
  permission: 'account',
  risk: 'closed',
  errors: ['PROJECT_DISABLED', 'CONFLICT'],
  input: createProjectInput,
  output: projectOutput,
  async handler(ctx, { name, environment = 'LIVE' }) {
    const { db, services } = ctx;
    const userId = userIdOf(ctx);
    if (await ownsDisabledProject(db, userId)) {
      throw new AppError('PROJECT_DISABLED', 'One of your projects is disabled', {
        suggestion: 'Open that project in the dashboard to see why',
      });
    }
    const most = services.config.MAX_PROJECTS_PER_USER;
    if ((await countOwnedProjects(db, userId)) >= most) {
      throw conflict(`You already own ${most} projects, which is the limit of this installation`, {
        suggestion: suggestions.CONFLICT.mostProjects,
      });
    }
    const id = newId();
    const webhookSecretCipher = newWebhookSecret(services.secrets, id);
    const keys = newKeys(services.secrets, { id, environment });
    const project = { id, name, environment, ...keys, webhookSecretCipher };
    const row = await insertProject(db, project, userId);
    ctx.audit({ targetType: 'project', targetId: row.id, projectId: row.id });
    return presentProject(services.secrets, row, 'OWNER');
  },
});
