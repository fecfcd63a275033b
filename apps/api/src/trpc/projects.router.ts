import { getSetupState } from '@postrider/core/insight/analytics';
import { deleteProject, getResetState, resetProject } from '@postrider/core/insight/removal';
import {
  createProject,
  getProject,
  listProjects,
  regenerateKeys,
  regenerateWebhookSecret,
  updateProject,
} from '@postrider/core/people/projects';
import { getStorage } from '@postrider/core/people/storage';
import { asMutation, asQuery, t } from './trpc.ts';

export const projectsRouter = t.router({
  list: asQuery(listProjects),
  get: asQuery(getProject),
  create: asMutation(createProject),
  update: asMutation(updateProject),
  regenerateKeys: asMutation(regenerateKeys),
  regenerateWebhookSecret: asMutation(regenerateWebhookSecret),
  reset: asMutation(resetProject),
  resetState: asQuery(getResetState),
  delete: asMutation(deleteProject),
  setupState: asQuery(getSetupState),
  getStorage: asQuery(getStorage),
});
