import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@postrider/local/stack';
import { expect, it } from 'vitest';
import { readEnvironment } from '../env.ts';
import { runAdmin } from '../run-admin.ts';

it('a stack that was just started has no finding above advice, and every secret stays out of the output', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-doctor-'));
  const stack = await startStack({ dataDir: folder, build: false, development: true });
  try {
    const environment = readEnvironment({ DATA_DIR: folder, MAIL_WORKERS: '1' });
    const lines: string[] = [];
    const doctor = () =>
      runAdmin(['doctor', '--json'], {
        env: () => {
          throw new Error('doctor needs no valid environment');
        },
        environment: () => environment,
        out: (line) => lines.push(line),
        err: (line) => lines.push(line),
      });
    // The worker makes the schedules within moments of its start.
    await expect.poll(doctor, { timeout: 60_000, interval: 1_000 }).toBe(0);
    const { findings } = JSON.parse(lines.at(-1) ?? '');
    expect(findings.filter(({ verdict }: { verdict: string }) => verdict !== 'ok')).toEqual([]);
    const { APP_SECRET = '-', DATABASE_URL = '' } = environment;
    for (const secret of [APP_SECRET, new URL(DATABASE_URL).password])
      expect(lines.join()).not.toContain(secret);
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
