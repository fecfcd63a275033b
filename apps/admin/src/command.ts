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

export interface Command {
  summary: string;
  /** name of its one argument, if it takes one */
  argument?: string;
  /** allowed values of each option */
  options?: Readonly<Record<string, readonly string[]>>;
  /** @returns whether everything succeeded */
  run(
    ctx: CommandContext,
    given: { argument: string; options: Record<string, string | undefined> },
  ): Promise<boolean>;
}

/** The command line is wrong: nothing ran. */
export class UsageError extends Error {
  override name = 'UsageError';
}
