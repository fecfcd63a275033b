import { execFile } from 'node:child_process';
import { access, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';
import { cacheDir } from './tool-cache.mjs';

const run = promisify(execFile);
const migrations = 'packages/core/prisma/migrations';
/** Written last: a checkout without it was interrupted. */
const mark = '.ready';
const builds = `import { build } from './tooling/local/src/build.ts'; await build({ dashboard: false });`;

/** @returns the last commit whose schema is an earlier one than that of the present commit */
export async function commitBeforeNewestMigration(): Promise<string> {
  const added = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', migrations);
  return git('rev-parse', `${added}~1`);
}

/**
 * Another version of the product, with its dependencies installed and its code generated, so that its processes can run beside those of this one.
 * Made once for each commit, which takes some minutes.
 *
 * @param version a commit, or the folder of a clone in which this was done by hand
 * @returns its folder
 */
export async function checkOut(version: string, log: (line: string) => void): Promise<string> {
  const given = await stat(version).catch(() => null);
  if (given?.isDirectory()) return version;
  const commit = await git('rev-parse', '--verify', `${version}^{commit}`);
  // Outside of the repository: modules that it lacks must not be found in ours.
  const folder = join(cacheDir(), 'versions', commit);
  if (await exists(join(folder, mark))) return folder;
  log(`building ${commit.slice(0, 8)} in ${folder}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await git('archive', '--output', archive, commit);
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
  const within = { cwd: folder, maxBuffer: 2 ** 26 };
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], within);
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval'];
  await run(join(folder, 'node_modules/.bin/node'), [...flags, builds], within);
  await writeFile(join(folder, mark), '');
  return folder;
}

async function git(...command: string[]): Promise<string> {
  const { stdout } = await run('git', command, { cwd: ROOT });
  return stdout.trim();
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
