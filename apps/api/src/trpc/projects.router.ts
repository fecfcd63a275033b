import {
  createProject,
  getProject,
  listProjects,
  regenerateKeys,
  updateProject,
} from '@postrider/core/projects';
import { asMutation, asQuery, t } from './trpc.ts';

export const projectsRouter = t.router({
  list: asQuery(listProjects),
  get: asQuery(getProject),
  create: asMutation(createProject),
  update: asMutation(updateProject),
  regenerateKeys: asMutation(regenerateKeys),
});
