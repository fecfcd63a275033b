import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, type CoreConfig, readConfig } from '@postrider/core/base/kernel';

const root = join(import.meta.dirname, '../../..');

/** Where `npm start` writes the environment of its processes, in its data folder. */
const localFile = 'environment.json';

/**
 * The environment of the installation: that of this process or, when it names no database, that of the local installation started
 * by `npm start`.
 *
 * @throws ConfigError naming every invalid variable
 */
export function readAdminEnv(env: Record<string, string | undefined>): CoreConfig {
  if (env['DATABASE_URL']) return readConfig(env);
  const file = join(resolve(root, env['DATA_DIR'] || '.postrider'), localFile);
  return readConfig({ ...env, ...localEnvironment(file) });
}

function localEnvironment(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ConfigError([
      `DATABASE_URL is not set, and no installation was started by npm start here (${file} does not exist)`,
    ]);
  }
}
