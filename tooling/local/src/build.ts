import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { withProgress } from './progress.mjs';
import { ROOT } from './root.ts';

interface BuildStep {
  name: string;
  label: string;
  /** Files and folders, relative to the root; the step runs again when any of them changes. */
  sources: string[];
  /** The output of the step; it runs again when this is missing. */
  result: string;
  command: [string, ...string[]];
  cwd: string;
  /** It finds out for itself what has changed. */
  always?: boolean;
}

const STEPS: BuildStep[] = [
  {
    name: 'generate',
    label: 'Generating the database client …',
    sources: [
      'packages/core/prisma/schema',
      'packages/core/prisma.config.ts',
      'packages/core/package.json',
      'package-lock.json',
    ],
    result: 'packages/core/src/base/db/generated',
    command: ['npm', 'run', '--silent', 'generate', '-w', '@postrider/core'],
    cwd: '.',
  },
  {
    // The api runs the MCP server, which calls by the SDK.
    name: 'tools',
    label: 'Generating the tools of the MCP server …',
    sources: [
      'packages/sdk/generate',
      'packages/sdk/package.json',
      'packages/mcp/generate',
      'packages/mcp/package.json',
      'apps/api/contracts/openapi.json',
      'package-lock.json',
    ],
    result: 'packages/mcp/src/generated',
    command: ['npm', 'run', '--silent', 'generate', '-w', '@postrider/sdk', '-w', '@postrider/mcp'],
    cwd: '.',
  },
  {
    name: 'dashboard',
    label: 'Building the dashboard …',
    sources: [
      'apps/dashboard/src',
      'apps/dashboard/public',
      'apps/dashboard/index.html',
      'apps/dashboard/vite.config.ts',
      'packages/core/src',
      'apps/dashboard/package.json',
      'package-lock.json',
    ],
    result: 'apps/dashboard/dist/index.html',
    command: [join(ROOT, 'node_modules/.bin/vite'), 'build'],
    cwd: 'apps/dashboard',
  },
  {
    name: 'docs',
    label: 'Building the documentation …',
    sources: [
      'apps/docs/src',
      'docs/guides',
      'docs/errors',
      'apps/api/contracts/openapi.json',
      'README.md',
      'apps/docs/package.json',
      'package-lock.json',
    ],
    result: 'apps/docs/dist/manifest.json',
    command: ['npm', 'run', '--silent', 'build'],
    cwd: 'apps/docs',
  },
  {
    name: 'stripped',
    label: 'Removing types …',
    sources: [],
    result: 'dist/stripped',
    command: [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      'packages/core/startup/strip-types.mjs',
    ],
    cwd: '.',
    always: true,
  },
];

export interface BuildOptions {
  signal?: AbortSignal;
  /** Without the dashboard, for stacks that no browser visits. */
  dashboard?: boolean;
}

/** Builds what cannot run from source; does nothing when the sources are unchanged. */
export async function build(options: BuildOptions = {}): Promise<void> {
  for (const step of STEPS) {
    if (step.name === 'dashboard' && options.dashboard === false) continue;
    if (step.always) {
      await runStep(step, options.signal);
      continue;
    }
    const stamp = join(ROOT, 'node_modules/.cache/postrider', `${step.name}.hash`);
    const hash = await hashOf(step.sources);
    const done = await readFile(stamp, 'utf8').catch(() => '');
    if (done === hash && (await exists(join(ROOT, step.result)))) continue;
    await withProgress(step.label, () => runStep(step, options.signal));
    await mkdir(dirname(stamp), { recursive: true });
    await writeFile(stamp, hash);
  }
}

async function runStep(step: BuildStep, signal: AbortSignal | undefined): Promise<void> {
  const [command, ...args] = step.command;
  const child = spawn(command, args, {
    cwd: join(ROOT, step.cwd),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Tests run with another value of NODE_ENV, but build with this one too: the result is kept, and what is tested is what is shipped.
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
    ...(signal ? { signal } : {}),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  if (code === 0) return;
  const said = output.trimEnd().split('\n');
  const shown = said.length > 60 ? [...said.slice(0, 60), '…'] : said;
  throw new Error(`${step.label.replace(' …', '')} failed:\n${shown.join('\n')}`);
}

/** One hash over names and contents, tests excluded: they are not part of a build. */
async function hashOf(sources: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of await filesOf(join(ROOT, source))) {
      hash
        .update(`${relative(ROOT, file)}\0`)
        .update(await readFile(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (entries === undefined) return (await exists(path)) ? [path] : [];
  return entries
    .filter(
      (entry) => entry.isFile() && !entry.name.includes('.test.') && !entry.parentPath.includes('/generated'),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
