import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, type CoreConfig, readConfig } from '@postrider/core/base/kernel';

const root = join(import.meta.dirname, '../../..');

type Environment = Readonly<Record<string, string | undefined>>;

/** Where `npm start` writes the environment of its processes, in its data folder. */
const localFile = 'environment.json';

/**
 * The environment of the installation: that of this process or, when it names no database, that of the local installation started
 * by `npm start`.
 *
 * @throws ConfigError naming every invalid variable
 */
export function readAdminEnv(env: Environment): CoreConfig {
  if (namesDatabase(env)) return readConfig(env);
  const local = localEnvironment(env);
  if (local === null)
    throw new ConfigError([
      `DATABASE_URL is not set, and no installation was started by npm start here (${fileOf(env)} does not exist)`,
    ]);
  return readConfig({ ...env, ...local });
}

/** The same before it is read, whatever is wrong with it. */
export const readEnvironment = (env: Environment): Environment =>
  namesDatabase(env) ? env : { ...env, ...localEnvironment(env) };

const namesDatabase = (env: Environment): boolean => Boolean(env['DATABASE_URL'] || env['DATABASE_URL_FILE']);

const fileOf = (env: Environment): string => join(resolve(root, env['DATA_DIR'] || '.postrider'), localFile);

/** What `npm start` has written; null if it has not. */
function localEnvironment(env: Environment): Record<string, string> | null {
  try {
    return JSON.parse(readFileSync(fileOf(env), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
