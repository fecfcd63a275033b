import { query } from '../../base/kernel/index.ts';
import { afterInput, allProjectsOutput } from './installation.schema.ts';
import { findAllProjects } from './installation.store.ts';

export const listAllProjects = query({
  name: 'installation.listProjects',
  summary: 'Lists the projects of the installation, oldest first',
  permission: 'internal',
  internal: true,
  input: afterInput,
  output: allProjectsOutput,
  async handler({ db }, { after }) {
    const rows = await findAllProjects(db, after);
    return rows.map(({ members, _count, ...row }) => ({
      ...row,
      owner: members[0]?.user.email ?? null,
      members: _count.members,
    }));
  },
});
