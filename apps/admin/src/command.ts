import type { Services } from '@postrider/core/base/kernel';

export interface Io {
  /** results, one line each, for people and scripts */
  out(line: string): void;
  /** everything else */
  err(line: string): void;
}

export interface CommandContext extends Io {
  services: Services;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Given {
  argument: string;
  options: Record<string, string | undefined>;
  /** options without a value that were given */
  flags: ReadonlySet<string>;
}

/** How a command is written. */
export interface CommandLine {
  summary: string;
  /** name of its one argument, if it takes one */
  argument?: string;
  /** the allowed values of each option, or what its value is */
  options?: Readonly<Record<string, readonly string[] | string>>;
  /** options without a value */
  flags?: readonly string[];
}

export interface Command extends CommandLine {
  /** @returns whether everything succeeded */
  run(ctx: CommandContext, given: Given): Promise<boolean>;
}

/** A command that runs with whatever environment there is. */
export interface StandaloneCommand extends CommandLine {
  /** the exit code after wrong usage */
  usageCode: number;
  /** @returns the exit code */
  runAlone(io: Io, environment: Environment, given: Given): Promise<number>;
}

/** The command line is wrong: nothing ran. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command cannot do what was asked for. The message says why, to the operator. */
export class CommandError extends Error {
  override name = 'CommandError';
}
