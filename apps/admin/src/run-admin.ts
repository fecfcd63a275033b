import { parseArgs } from 'node:util';
import { composeServices, createLog } from '@postrider/core/adapters';
import { AppError, ConfigError, type CoreConfig } from '@postrider/core/base/kernel';
import { pino } from 'pino';
import {
  type Command,
  CommandError,
  type Environment,
  type Given,
  type Io,
  type StandaloneCommand,
  UsageError,
} from './command.ts';
import { check } from './commands/addresses.ts';
import { backup, prune, verifyOne } from './commands/backup.ts';
import { checkSecretsCommand } from './commands/check-secrets.ts';
import { rebuild, verify } from './commands/consent.ts';
import { doctor } from './commands/doctor.ts';
import { endOld } from './commands/end-old.ts';
import { owners, projects, users } from './commands/lists.ts';
import { optOuts, sent } from './commands/logs.ts';
import { migrateCommand } from './commands/migrate.ts';
import { notes } from './commands/notes.ts';
import { disable, enable } from './commands/project-state.ts';
import { release } from './commands/release.ts';
import { resetLink } from './commands/reset-link.ts';
import { restore } from './commands/restore.ts';
import { resume } from './commands/resume.ts';
import { rotate } from './commands/rotate.ts';
import { setupLink } from './commands/setup-link.ts';
import { stream } from './commands/stream.ts';

export const commands: Readonly<Record<string, Command | StandaloneCommand>> = {
  doctor,
  'project:list': projects,
  'project:disable': disable,
  'project:enable': enable,
  owners,
  notes,
  'user:list': users,
  'user:reset-link': resetLink,
  'addresses:check': check,
  'consent:verify': verify,
  'consent:rebuild': rebuild,
  'workflows:end-old': endOld,
  migrate: migrateCommand,
  'secrets:rotate': rotate,
  'secrets:check': checkSecretsCommand,
  resume,
  'setup-link': setupLink,
  backup,
  'backup:stream': stream,
  'backup:verify': verifyOne,
  'backup:prune': prune,
  restore,
  'restore:sent': sent,
  'restore:optouts': optOuts,
  'restore:release': release,
};

export interface AdminIo extends Io {
  /** @throws ConfigError */
  env(): CoreConfig;
  /** the same before it is read; what is wrong with it is no error */
  environment(): Environment;
}

const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** Runs one command. @returns the exit code: 0 done, 1 failed, 2 wrong usage or configuration; those of `doctor` are its own */
export async function runAdmin(
  args: readonly string[],
  { env, environment, ...io }: AdminIo,
): Promise<number> {
  const [name = 'help', ...rest] = args;
  if (['help', '--help', '-h'].includes(name)) {
    io.out(usage());
    return exitCodes.done;
  }
  const command = commands[name];
  try {
    if (!command) throw new UsageError(`There is no command ${name}.`);
    const given = parse(command, rest);
    if ('runAlone' in command) return await command.runAlone(io, environment(), given);
    const services = composeServices(env(), createLog({ level: 'warn' }, pino.destination(2)), {
      connections: 4,
    });
    try {
      return (await command.run({ services, ...io }, given)) ? exitCodes.done : exitCodes.failed;
    } finally {
      await services.close();
    }
  } catch (error) {
    // The fault comes last: a terminal shows the end of what is long.
    if (error instanceof UsageError)
      io.err(`${command ? `npm run admin --${usageOf(name, command)}` : usage()}\n\n${error.message}`);
    else if (error instanceof AppError || error instanceof CommandError || error instanceof ConfigError)
      io.err(error.message);
    else throw error;
    if (command && 'runAlone' in command) return command.usageCode;
    return error instanceof AppError || error instanceof CommandError ? exitCodes.failed : exitCodes.usage;
  }
}

function parse(command: Command | StandaloneCommand, args: string[]): Given {
  const { argument, options = {}, flags = [] } = command;
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries([
        ...Object.keys(options).map((name) => [name, { type: 'string' as const }]),
        ...flags.map((name) => [name, { type: 'boolean' as const }]),
      ]),
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { positionals, values } = parsed;
  if (positionals.length !== (argument ? 1 : 0)) {
    throw new UsageError(
      argument ? `The command needs one <${argument}>.` : 'The command takes no argument.',
    );
  }
  const entries = Object.entries(values);
  return {
    argument: positionals[0] ?? '',
    options: Object.fromEntries(
      entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ),
    flags: new Set(entries.flatMap(([name, value]) => (value === true ? [name] : []))),
  };
}

const usage = (): string =>
  `npm run admin -- <command>\n\n${Object.entries(commands)
    .map(([name, command]) => ` ${usageOf(name, command)}`)
    .join('\n')}`;

/** How a command is called, and what it does. */
function usageOf(name: string, command: Command | StandaloneCommand): string {
  const { argument, options = {}, flags = [], summary } = command;
  const given = Object.entries(options).map(
    ([option, values]) => ` --${option} ${typeof values === 'string' ? `<${values}>` : values.join('|')}`,
  );
  const switches = flags.map((flag) => ` [--${flag}]`);
  return ` ${name}${argument ? ` <${argument}>` : ''}${[...given, ...switches].join('')}\n      ${summary}`;
}
