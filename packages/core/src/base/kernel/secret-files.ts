import { readFileSync } from 'node:fs';

/** Variables that may be in a file, which `<name>_FILE` names. */
export const inFiles = ['DATABASE_URL', 'APP_SECRET', 'SMTP_URL', 'METRICS_TOKEN'] as const;

type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadFiles {
  /** the environment with the contents of the files */
  env: Record<string, string | undefined>;
  /** each begins with the name of its variable */
  problems: string[];
}

/** What a file holds, without the line break that editors add. @throws Error when it cannot be read */
export const readSecretFile = (path: string): string => readFileSync(path, 'utf8').trim();

/** Reads the variables of an environment that are in files. */
export function withFiles(given: Environment): ReadFiles {
  const env: Record<string, string | undefined> = { ...given };
  const problems: string[] = [];
  for (const name of inFiles) {
    const file = `${name}_FILE`;
    const path = given[file];
    if (!path) continue;
    if (given[name]) {
      problems.push(`${file} is set together with ${name}: set one of them`);
      continue;
    }
    try {
      const value = readSecretFile(path);
      if (value === '') problems.push(`${file} names a file that is empty, so that ${name} is not set`);
      else env[name] = value;
    } catch (error) {
      const { code = 'no reason' } = error as NodeJS.ErrnoException;
      problems.push(`${file} names a file that cannot be read (${code}), so that ${name} is not set`);
    }
  }
  return { env, problems };
}
