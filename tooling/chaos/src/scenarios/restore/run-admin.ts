import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { POSTGRES_15 } from '@postrider/local/postgres';
import { ROOT } from '@postrider/local/root';

const run = promisify(execFile);

/** Runs `npm run admin` with the environment of a stack. @returns what it printed. @throws Error with what it said, if it fails */
export async function runAdmin(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await run(process.execPath, [join(ROOT, 'apps/admin/src/main.ts'), ...args], {
    env: { ...process.env, ...env, PG_BIN: POSTGRES_15 },
  });
  return stdout.trim();
}
