import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { downloads, savePinned, WrongSum } from './pinned-download.mjs';
import { withProgress } from './progress.mjs';
import { cacheDir, findExecutable, isExecutable, versionOf } from './tool-cache.mjs';

const run = promisify(execFile);

const VERSION = downloads.temporal.version;

/** Go's checksum database vouches for sources, whatever the settings of this machine leave out. */
export const CHECKED = {
  GOSUMDB: 'sum.golang.org',
  GONOSUMDB: '',
  GONOSUMCHECK: '',
  GOPRIVATE: '',
  GOINSECURE: '',
};

/**
 * Finds Temporal's command line tool, which contains the development server: on the PATH, in the cache, by download, or
 * built from source with Go. The last two take minutes once and show their progress. Plain JavaScript without dependencies: the
 * bootstrap runs it while the dependencies are installed.
 *
 * @param {AbortSignal} [signal]
 * @param {boolean} [beside] whether a build leaves a core and the first place to other work
 * @returns {Promise<string>}
 */
export async function temporalBinary(signal, beside = false) {
  const installed = await findExecutable('temporal');
  if (installed !== undefined && (await versionOf(installed, '--version')) !== undefined) return installed;
  const folder = join(cacheDir(), 'bin');
  const cached = join(folder, 'temporal');
  if (await isExecutable(cached)) return cached;

  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, 'temporal-'));
  try {
    /** @type {string[]} */
    const problems = [];
    for (const make of [download, build]) {
      const problem = await make(work, signal, beside);
      signal?.throwIfAborted();
      if (problem === undefined) {
        await rename(join(work, 'temporal'), cached);
        return cached;
      }
      problems.push(problem);
    }
    throw new Error(
      [
        'No Temporal server could be found or made. Tried, in this order:',
        '  1. TEMPORAL_ADDRESS: not set',
        '  2. `temporal` on the PATH: not there',
        `  3. ${cached}: not there`,
        ...problems.map((problem, index) => `  ${index + 4}. ${problem}`),
        'Install Go (https://go.dev/dl) or the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS.',
      ].join('\n'),
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Downloads the official build into the folder; on failure it returns the reason.
 *
 * @param {string} folder
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | undefined>}
 * @throws {WrongSum} for another archive than the pinned one: the server must not be made in another way then
 */
async function download(folder, signal) {
  const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const sha256 = downloads.temporal.sha256[platform];
  if (sha256 === undefined) return `download: no sum is pinned for ${platform}`;
  const url = `https://github.com/temporalio/cli/releases/download/v${VERSION}/temporal_cli_${VERSION}_${platform}.tar.gz`;
  const file = join(folder, 'temporal.tar.gz');
  try {
    const response = await firstAnswer(url, 6_000);
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
    const { body } = response;
    await withProgress(`Downloading the Temporal server ${VERSION} …`, () =>
      savePinned(body, { url, sha256, file, signal }),
    );
    await run('tar', ['-xzf', file, '-C', folder, 'temporal'], { ...(signal ? { signal } : {}) });
    return undefined;
  } catch (error) {
    if (error instanceof WrongSum) throw error;
    return `download: ${new URL(url).host}: ${reasonOf(error)}`;
  }
}

/**
 * Limits the wait for the start of a response; the body may take longer.
 *
 * @param {string} url
 * @param {number} patienceMs
 * @returns {Promise<Response>}
 */
async function firstAnswer(url, patienceMs) {
  const abort = new AbortController();
  const timer = setTimeout(
    () => abort.abort(new Error(`no answer within ${patienceMs / 1000} s`)),
    patienceMs,
  );
  try {
    return await fetch(url, { signal: abort.signal });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {string} folder
 * @param {AbortSignal | undefined} signal
 * @param {boolean} beside
 * @returns {Promise<string | undefined>}
 */
async function build(folder, signal, beside) {
  const go = await findExecutable('go');
  if (go === undefined) return '`go install`: Go is not installed';
  const module = `github.com/temporalio/cli/cmd/temporal@v${VERSION}`;
  try {
    await withProgress(
      `Building the Temporal server ${VERSION} from source, about 3 minutes, only once …`,
      () => {
        const cores = Math.max(1, availableParallelism() - 1);
        const built = run(go, ['install', ...(beside ? ['-p', String(cores)] : []), module], {
          // Go's checksum database vouches for the sources; settings that would leave it out do not count here.
          env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod', ...CHECKED },
          maxBuffer: 2 ** 26,
          ...(signal ? { signal } : {}),
        });
        // Its compilers inherit the priority.
        const { pid } = built.child;
        if (beside && pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
        return built;
      },
    );
    return undefined;
  } catch (error) {
    return `go install ${module}: ${reasonOf(error)}`;
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message.trim().split('\n').slice(-3).join(' ')}${inner}`;
}
