import { query } from '../../base/kernel/index.ts';
import { afterInput, usersOutput } from './installation.schema.ts';
import { findAllUsers } from './installation.store.ts';

export const listUsers = query({
  name: 'installation.listUsers',
  summary: 'Lists the users of the installation with their projects, oldest first',
  permission: 'internal',
  internal: true,
  input: afterInput,
  output: usersOutput,
  async handler({ db }, { after }) {
    const rows = await findAllUsers(db, after);
    return rows.map(({ memberships, ...row }) => ({
      ...row,
      projects: memberships.map(({ projectId, role }) => ({ id: projectId, role })),
    }));
  },
});
