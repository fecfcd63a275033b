import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aptInstall } from './apt.ts';
import { versions } from './generator-versions.ts';
import { withProgress } from './progress.mjs';
import { cacheDir, findExecutable } from './tool-cache.mjs';

/** Programs that generate and compile clients: installed once for all clones, and an error with what to install where that fails. */

const run = promisify(execFile);

/** Runs a program; what it printed is part of the error when it fails. */
export async function runIn(
  cwd: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    const { stdout } = await run(command, args, {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 2 ** 27,
    });
    return stdout;
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${`${stdout}\n${stderr}`.slice(-4_000)}`, {
      cause,
    });
  }
}

/** @param packages of Debian and Ubuntu that have it */
export async function program(name: string, ...packages: string[]): Promise<string> {
  const path = await findExecutable(name);
  if (path !== undefined) return path;
  await packagesOf(name, packages);
  const installed = await findExecutable(name);
  if (installed === undefined)
    throw new Error(`${name} is not on the PATH after apt-get installed ${packages.join(' ')}`);
  return installed;
}

/** Installs packages of Debian or Ubuntu, where this may be done. */
export async function packagesOf(what: string, packages: readonly string[]): Promise<void> {
  const apt = await findExecutable('apt-get');
  if (apt === undefined || process.getuid?.() !== 0)
    throw new Error(`${what} is not installed (Debian and Ubuntu: apt install ${packages.join(' ')}).`);
  await withProgress(`Installing ${packages.join(' ')} with apt-get, only once …`, () =>
    aptInstall(apt, packages),
  );
}

/** @returns the path of a file or folder in the cache, made by `make` in a folder of its own if it is missing */
export async function cached(
  name: string,
  file: string,
  what: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(cacheDir(), name);
  if (existsSync(join(folder, file))) return join(folder, file);
  const work = `${folder}.${process.pid}`;
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await withProgress(`Installing ${what}, only once …`, () => make(work));
  await rm(folder, { recursive: true, force: true });
  await rename(work, folder);
  if (!existsSync(join(folder, file))) throw new Error(`${what} was installed without ${file}`);
  return join(folder, file);
}

/** openapi-generator with its default options, as a program of Java from Maven. */
export async function openapiGenerator(folder: string, generator: string, output: string): Promise<void> {
  const version = versions['openapi-generator'];
  const java = await program('java', 'default-jdk-headless');
  const jar = await cached(
    `openapi-generator-${version}`,
    `openapi-generator-cli-${version}.jar`,
    `openapi-generator ${version} from Maven`,
    async (into) =>
      runIn(into, await program('mvn', 'maven'), [
        '-q',
        '-B',
        'dependency:copy',
        `-Dartifact=org.openapitools:openapi-generator-cli:${version}`,
        `-DoutputDirectory=${into}`,
      ]),
  );
  await runIn(folder, java, ['-jar', jar, 'generate', '-i', 'openapi.json', '-g', generator, '-o', output]);
}

export const go = (): Promise<string> => program('go', 'golang-go');

export async function oapiCodegen(): Promise<string> {
  const version = versions['oapi-codegen'];
  return cached(`oapi-codegen-${version}`, 'oapi-codegen', `oapi-codegen ${version} with Go`, async (into) =>
    runIn(
      into,
      await go(),
      ['install', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${version}`],
      { GOBIN: into },
    ),
  );
}

/** The folder in which orval is installed. */
export async function orval(): Promise<string> {
  const { orval: version } = versions;
  return cached(`orval-${version}`, 'node_modules', `orval ${version} from npm`, (into) =>
    runIn(into, process.platform === 'win32' ? 'npm.cmd' : 'npm', [
      'install',
      '--prefix',
      into,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      `orval@${version}`,
    ]),
  );
}
