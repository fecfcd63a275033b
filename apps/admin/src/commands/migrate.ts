import { findPendingWork, migrate, type Pending, SchemaError, settle } from '@postrider/core/base/db';
import { withFiles } from '@postrider/core/base/kernel';
import type { Io, StandaloneCommand } from '../command.ts';

const exitCodes = { done: 0, failed: 1, usage: 2, pending: 10 } as const;

export const migrateCommand: StandaloneCommand = {
  summary:
    'Brings the database to the schema of this version. --check prints what is pending, with kind, locks, rows and estimated time, and exits with 0 if nothing is, 10 if something is, 1 if it cannot be applied. --sql prints its statements. --contract does not wait until processes of earlier versions have ended: those that run stop working.',
  flags: ['check', 'sql', 'contract'],
  usageCode: exitCodes.usage,
  async runAlone(io, environment, { flags }) {
    const { env, problems } = withFiles(environment);
    const url = env['DATABASE_URL'];
    if (!url) {
      io.err(problems.find((line) => line.startsWith('DATABASE_URL')) ?? 'DATABASE_URL is not set.');
      return exitCodes.usage;
    }
    try {
      if (flags.has('check') || flags.has('sql')) {
        const pending = await findPendingWork(url);
        for (const line of flags.has('sql') ? sqlOf(pending) : linesOf(pending)) io.out(line);
        if (pending.problem !== null) io.err(pending.problem);
        return codeOf(pending);
      }
      return await apply(io, url, flags.has('contract'));
    } catch (error) {
      io.err(error instanceof Error ? error.message : String(error));
      if (!(error instanceof SchemaError)) io.err('What was not applied is pending: run it again.');
      return exitCodes.failed;
    }
  },
};

async function apply(io: Io, url: string, isForced: boolean): Promise<number> {
  const options = { isForced, tell: io.err };
  const applied = await migrate(url, options);
  const settled = await settle(url, options);
  for (const name of [...applied, ...settled.applied]) io.out(name);
  for (const { name, reason } of settled.left) io.err(`${name} waits: ${reason}`);
  if (applied.length + settled.applied.length + settled.left.length === 0) io.out('nothing is pending');
  return exitCodes.done;
}

const codeOf = ({ problem, migrations, hasOlderFunctions }: Pending): number => {
  if (problem !== null) return exitCodes.failed;
  return migrations.length > 0 || hasOlderFunctions ? exitCodes.pending : exitCodes.done;
};

/** Columns separated by tabs: name, kind, locks, rows, time. */
function linesOf({ migrations, hasOlderFunctions }: Pending): string[] {
  const lines = migrations.map(({ name, kind, tables, rows, seconds, isDeferred }) =>
    [
      name,
      isDeferred ? `${kind} (follows while this version runs)` : kind,
      tables.map(({ table, lock }) => `${lock} on ${table}`).join(', ') || 'no locks',
      `${rows} rows`,
      seconds < 1 ? '< 1 s' : `about ${Math.ceil(seconds)} s`,
    ].join('\t'),
  );
  if (hasOlderFunctions)
    lines.push('functions and triggers\texpand\tSHARE ROW EXCLUSIVE on tables with triggers\t0 rows\t< 1 s');
  return lines.length === 0 ? ['nothing is pending'] : lines;
}

const sqlOf = ({ migrations }: Pending): string[] =>
  migrations.map(({ name, sql }) => `-- ${name}\n${sql.trimEnd()}\n`);
