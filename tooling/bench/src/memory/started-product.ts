import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from '@postrider/harness/project.store';
import { freePort } from '@postrider/local/ports';
import { ROOT } from '@postrider/local/root';

const startMs = 300_000;
const stopMs = 60_000;

/** What `npm start` runs, on free ports and an empty folder. */
export interface StartedProduct {
  /** the starter, below which all processes are */
  pid: number;
  api: string;
  databaseUrl: string;
  /** the demo project */
  project: Omit<TestProject, 'id'>;
  stop(): Promise<void>;
}

/** Limits that would otherwise determine how long the phases take. */
const settings = {
  // Of a small server, whatever this machine has: it decides how much PostgreSQL takes.
  MEMORY_MB: process.env['MEMORY_MB'] ?? '2048',
  LOG_LEVEL: 'warn',
  SEND_RATE_PER_SECOND: '1000000',
  RATE_LIMIT_PER_MINUTE: '1000000000',
};

export async function startProduct(env: Record<string, string>): Promise<StartedProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-memory-'));
  const names = [
    'PORT',
    'MAILBOX_PORT',
    'MAILBOX_SMTP_PORT',
    'TEMPORAL_PORT',
    'BOUNCE_PORT',
    'SUBMISSION_PORT',
  ];
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const));
  const dataDir = join(folder, 'data');
  const child = spawn(
    process.execPath,
    // As `npm start` does it.
    [
      '--disable-warning=ExperimentalWarning',
      ...[
        '--max-semi-space-size=2',
        '--max-old-space-size=256',
        '--import',
        join(ROOT, 'packages/core/startup/stripped.mjs'),
      ],
      ...[join(ROOT, 'tooling/local/src/start.ts'), '--wait'],
    ],
    {
      cwd: ROOT,
      env: { ...process.env, ...settings, ...Object.fromEntries(ports), DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(stopMs, undefined, { ref: false })]);
    }
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + startMs;
  while (!output.includes('Ctrl-C stops everything')) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`The product did not start:\n${output}`);
    }
    await sleep(200);
  }
  const { API_URL, DATABASE_URL } = await read<Record<string, string>>(join(dataDir, 'environment.json'));
  const { access } = await read<{ access: Omit<TestProject, 'id'> }>(join(dataDir, 'demo.json'));
  if (child.pid === undefined || API_URL === undefined || DATABASE_URL === undefined)
    throw new Error('The product did not write its environment');
  return {
    pid: child.pid,
    api: API_URL,
    databaseUrl: DATABASE_URL,
    project: { secretKey: access.secretKey, publicKey: access.publicKey, from: access.from },
    stop,
  };
}

const read = async <Value>(file: string): Promise<Value> => JSON.parse(await readFile(file, 'utf8')) as Value;
