import { emptyObject, query, userIdOf } from '../../base/kernel/index.ts';
import { presentProject } from './present-project.ts';
import { projectListOutput } from './projects.schema.ts';
import { findProjectsOf } from './projects.store.ts';
import { findSandboxes } from './sandbox.store.ts';

export const listProjects = query({
  name: 'projects.list',
  summary: 'Lists the projects of the signed-in user by name',
  permission: 'account',
  input: emptyObject,
  output: projectListOutput,
  async handler(ctx) {
    const memberships = await findProjectsOf(ctx.db, userIdOf(ctx));
    const sandboxOf = await findSandboxes(
      ctx.db,
      memberships.map(({ project }) => project.id),
    );
    return memberships
      .map(({ project, role }) => ({
        ...presentProject(ctx.services.secrets, project, role),
        sandbox: sandboxOf(project.id),
      }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id.localeCompare(b.id));
  },
});
