import { listAllProjects, listUsers } from '@postrider/core/installation';
import { type Services, systemContext } from '@postrider/core/kernel';
import type { Command } from '../command.ts';

/** Columns are separated by tabs, so that `cut`, `awk` and spreadsheets read them. */
const row = (cells: readonly (string | number)[]): string => cells.join('\t');

export const projects: Command = {
  summary: 'Lists all projects: id, name, state, owner, number of members, creation.',
  async run({ services, out }) {
    out(row(['id', 'name', 'state', 'owner', 'members', 'created']));
    for await (const project of pagesOf(services, listAllProjects)) {
      const { id, name, disabledReason, owner, members, createdAt } = project;
      out(row([id, name, disabledReason ?? 'enabled', owner ?? '', members, createdAt]));
    }
    return true;
  },
};

export const users: Command = {
  summary: 'Lists all users: id, address, whether it is proven, projects with roles, sign-up.',
  async run({ services, out }) {
    out(row(['id', 'email', 'proven', 'projects', 'created']));
    for await (const { id, email, emailVerified, projects: memberships, createdAt } of pagesOf(
      services,
      listUsers,
    )) {
      const roles = memberships.map((membership) => `${membership.id}:${membership.role}`);
      out(row([id, email, emailVerified ? 'yes' : 'no', roles.join(','), createdAt]));
    }
    return true;
  },
};

type ListOperation<Row> = {
  run(ctx: ReturnType<typeof systemContext>, input: { after?: string }): Promise<Row[]>;
};

async function* pagesOf<Row extends { id: string }>(
  services: Services,
  operation: ListOperation<Row>,
): AsyncGenerator<Row> {
  let after: string | undefined;
  do {
    const page: Row[] = await operation.run(systemContext(services), after === undefined ? {} : { after });
    yield* page;
    after = page.at(-1)?.id;
  } while (after !== undefined);
}
