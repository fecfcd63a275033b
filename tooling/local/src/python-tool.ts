import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { giveUp, tryLock } from './file-lock.ts';
import { withProgress } from './progress.mjs';
import { cacheDir, findExecutable } from './tool-cache.mjs';

const run = promisify(execFile);

/** A PyPI package in its own virtual environment. */
export interface PythonTool {
  /** the interpreter, which can import the package and its dependencies */
  python: string;
  /** programs of the package */
  bin(name: string): string;
}

/**
 * Installs a version of a Python package in the tool cache, once for all clones.
 *
 * @throws Error naming what to install if the machine has no Python with `venv` and `pip`
 */
export async function pythonTool(name: string, version: string): Promise<PythonTool> {
  const folder = join(cacheDir(), `${name}-${version}`);
  const programs = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  const program = (each: string): string =>
    join(programs, process.platform === 'win32' ? `${each}.exe` : each);
  const tool: PythonTool = { python: program('python'), bin: program };
  // Written last: an environment without it is incomplete.
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return tool;
  const python = await findPython();
  await mkdir(cacheDir(), { recursive: true });
  // Test files that need the same tool run side by side.
  const lock = await locked(`${folder}.lock`);
  try {
    if (existsSync(complete)) return tool;
    await rm(folder, { recursive: true, force: true });
    await withProgress(`Installing ${name} ${version} from PyPI, only once …`, async () => {
      await run(python, ['-m', 'venv', folder]);
      await run(tool.python, ['-m', 'pip', 'install', '--quiet', `${name}==${version}`]);
    });
    await writeFile(complete, '');
    return tool;
  } catch (cause) {
    throw new Error(
      `${name} ${version} could not be installed from PyPI with ${python}. It needs Python 3.11 or newer with the modules venv and pip (Debian and Ubuntu: apt install python3-venv) and access to PyPI.`,
      { cause },
    );
  } finally {
    giveUp(lock);
    lock.close();
  }
}

async function locked(file: string): Promise<DatabaseSync> {
  for (;;) {
    const lock = tryLock(file);
    if (lock) return lock;
    await sleep(200);
  }
}

async function findPython(): Promise<string> {
  for (const name of process.platform === 'win32' ? ['python.exe'] : ['python3', 'python']) {
    const path = await findExecutable(name);
    if (path !== undefined) return path;
  }
  throw new Error(
    'Python is not installed. Install Python 3.11 or newer with the modules venv and pip (Debian and Ubuntu: apt install python3 python3-venv).',
  );
}
