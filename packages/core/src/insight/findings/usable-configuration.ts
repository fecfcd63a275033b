import { ConfigError, type CoreConfig, coreEnv, readConfig } from '../../base/kernel/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface UsableConfiguration {
  /** every problem of the environment, each with the name of its variable first */
  problems: { variable: string; text: string }[];
  /** variables that have no usable value */
  broken: ReadonlySet<string>;
  /** what is usable; variables that are not have their defaults */
  config: CoreConfig;
  /** the same as an environment */
  env: Environment;
}

/** In the place of what every process needs, where it is not usable: no check that needs it is made. */
const placeholders = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  APP_SECRET: '-'.repeat(32),
};

const problemsOf = (read: () => unknown): string[] => {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [...error.problems];
    throw error;
  }
};

/**
 * Reads an environment as far as it can be used, so that what does not depend on a wrong variable can be checked.
 *
 * @param readers parse the parts of the environment that other apps read, and throw ConfigError
 */
export function readUsable(
  given: Environment,
  readers: readonly ((env: Environment) => unknown)[],
): UsableConfiguration {
  const read = [readConfig, ...readers];
  const lines = read.flatMap((each) => problemsOf(() => each(given)));
  const problems = [...new Set(lines)].map((line) => {
    const [variable = ''] = line.split(' ');
    const text = line.slice(variable.length + 1);
    return { variable, text: given[variable] || !text.startsWith('Invalid input') ? text : 'is not set' };
  });
  if (problems.length === 0) return { problems, broken: new Set(), config: readConfig(given), env: given };
  const broken = new Set(problems.map(({ variable }) => variable));
  // A variable that is missing beside another one makes that one useless as well.
  for (const { text } of problems)
    for (const word of text.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []) if (word in coreEnv.shape) broken.add(word);
  broken.delete('NODE_ENV');
  const env: Record<string, string | undefined> = { ...given, NODE_ENV: undefined };
  for (const name of broken) env[name] = undefined;
  for (const [name, value] of Object.entries(placeholders)) env[name] ??= value;
  if (read.every((each) => problemsOf(() => each(env)).length === 0))
    return { problems, broken, config: readConfig(env), env };
  const all = Object.keys(given).filter((name) => name in coreEnv.shape);
  return {
    problems,
    broken: new Set([...broken, ...all]),
    config: readConfig(placeholders),
    env: placeholders,
  };
}
