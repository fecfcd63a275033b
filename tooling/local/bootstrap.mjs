// Runs `npm start` and `npm test` on a machine that has any Node from version 18: installs the dependencies when they are
// missing or out of date, then continues in the Node version that the repository pins as a dependency.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withProgress } from './src/progress.mjs';
import { temporalBinary } from './src/temporal-binary.mjs';
import { cacheDir } from './src/tool-cache.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const modules = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');
const stamp = join(modules, '.postrider-installed');
const node = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

const [command = 'start', ...args] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < 18) {
  fail(`Node ${process.versions.node} is too old to begin with; 18 or newer is needed.`);
}
if (!isInstalled()) await install();
run();

function isInstalled() {
  if (!existsSync(node)) return false;
  const wanted = lockHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true;
  // npm writes its own record last: if it is newer than the lock file, npm was run by hand.
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record) || statSync(record).mtimeMs < statSync(lockFile).mtimeMs) return false;
  writeFileSync(stamp, wanted);
  return true;
}

async function install() {
  // Fetching or building the Temporal server takes minutes on a new machine, so it runs beside the installation. A
  // failure is not reported here: the start or the test run looks for the server again and reports what is missing. `start` goes on
  // without the server, and makes it beside the product: what Go has compiled so far is not compiled again.
  const handOver = new AbortController();
  const making = needsTemporal() ? temporalBinary(handOver.signal).catch(() => undefined) : undefined;
  const result = await npmCi();
  if (command === 'start' && !args.includes('--wait')) handOver.abort();
  await making;
  if (result.status !== 0) {
    fail(`${result.output}\nInstalling the dependencies failed; the output of npm is above.`);
  }
  writeFileSync(stamp, lockHash());
}

/** False when another server is configured, in the environment or the file `.env`. */
function needsTemporal() {
  if (process.env.TEMPORAL_ADDRESS) return false;
  const file = join(root, '.env');
  return !(existsSync(file) && /^\s*TEMPORAL_ADDRESS\s*=\s*\S/m.test(readFileSync(file, 'utf8')));
}

/** @returns {Promise<{ status: number | null, output: string }>} */
function npmCi() {
  const windows = process.platform === 'win32';
  return withProgress('Installing the dependencies …', async () => {
    const child = spawn(windows ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: windows,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    return new Promise((resolve) => {
      child.on('error', (error) => fail(`npm cannot be started: ${error.message}`));
      child.on('close', (status) => resolve({ status, output }));
    });
  });
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

function run() {
  // The starter only watches: it needs no room for many new objects.
  const flags =
    command === 'start'
      ? [
          '--max-semi-space-size=2',
          '--max-old-space-size=256',
          '--import',
          join(root, 'packages/core/startup/stripped.mjs'),
        ]
      : [];
  const child = spawn(node, [...flags, join(root, 'tooling/local/src', `${command}.ts`), ...args], {
    cwd: root,
    // Through the channel the program detects that this process was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      // Checks and builds of the same files are shared by all clones; Turborepo compares hashes of the files.
      TURBO_CACHE_DIR: join(cacheDir(), 'turbo'),
      ...process.env,
      PATH: join(modules, '.bin') + delimiter + process.env.PATH,
    },
  });
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => child.kill(name));
  }
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
  watchNpm(child);
}

/**
 * Stops the program when npm itself is killed: its script would keep running, and Ctrl-C would no longer reach it.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function watchNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  // npm runs scripts through a shell, which may or may not have replaced itself with this process (exec).
  const throughShell = /(^|\/)(sh|bash|dash|zsh)$/.test(describe(parent, 'comm'));
  const npm = throughShell ? describe(parent, 'ppid') : undefined;
  setInterval(() => {
    if (process.ppid === parent && (npm === undefined || describe(parent, 'ppid') === npm)) return;
    child.kill('SIGTERM');
  }, 2000).unref();
}

/**
 * @param {number} pid
 * @param {'comm' | 'ppid'} field
 * @returns {string}
 */
function describe(pid, field) {
  if (process.platform !== 'linux') {
    return String(spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)]).stdout ?? '').trim();
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    if (field === 'comm') return stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '';
  } catch {
    return '';
  }
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
