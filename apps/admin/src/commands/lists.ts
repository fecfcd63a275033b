import { type Services, systemContext } from '@postrider/core/base/kernel';
import { listAllProjects, listOwners, listUsers, ownerOrder } from '@postrider/core/people/installation';
import { type Command, UsageError } from '../command.ts';

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

export const owners: Command = {
  summary:
    'Lists the 100 owners with the highest figure: storage in MB, most live streams at once, slow minutes, stopped tasks, reports without a proof (7 days each), and until when new contents are filled in plainly.',
  options: { by: ownerOrder.options },
  async run({ services, out }, { options }) {
    const by = ownerOrder.optional().safeParse(options['by']);
    if (!by.success) throw new UsageError(`--by must be one of ${ownerOrder.options.join(', ')}.`);
    const found = await listOwners.run(systemContext(services), by.data ? { by: by.data } : {});
    const names = ['storage', 'streams', 'slow', 'limits', 'reports'];
    out(row(['id', 'email', 'proven', 'projects', ...names, 'plain until']));
    for (const owner of found) {
      const { id, email, emailVerified, projects: owned, storedBytes, plainUntil } = owner;
      const { mostStreams, slowMinutes, taskLimits, unprovenReports } = owner;
      const figures = [
        (storedBytes / 1_000_000).toFixed(1),
        mostStreams,
        slowMinutes,
        taskLimits,
        unprovenReports,
      ];
      out(row([id, email, emailVerified ? 'yes' : 'no', owned, ...figures, plainUntil ?? '']));
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
