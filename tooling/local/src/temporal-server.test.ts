import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from './processes.ts';
import { startTemporal, stopTemporal, timeSkippingServer } from './temporal-server.ts';

let folder: string;
const dbFile = () => join(folder, 'temporal.db');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-temporal-'));
});

afterEach(async () => {
  await stopTemporal(dbFile());
  await rm(folder, { recursive: true, force: true });
});

async function register(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  await connection.close();
}

async function knows(address: string, namespace: string): Promise<boolean> {
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

describe('the Temporal server', () => {
  it('keeps its store over a kill -9 and loses it when wiped', async () => {
    const server = await startTemporal({ dbFile: dbFile() });
    await register(server.address, 'kept');
    await server.kill();
    await server.start();
    expect(await knows(server.address, 'kept')).toBe(true);
    await server.wipe();
    expect(await knows(server.address, 'kept')).toBe(false);
    await server.stop();
    expect(await isAlive(server.pid)).toBe(false);
  });

  it('stops a server that an earlier start left running', async () => {
    const left = await startTemporal({ dbFile: dbFile() });
    const again = await startTemporal({ dbFile: dbFile() });
    expect(await isAlive(left.pid)).toBe(false);
    expect(await isAlive(again.pid)).toBe(true);
  });
});

describe('the time-skipping test server', () => {
  // The SDK gives the server five seconds to start, which may be too short on a busy machine.
  it('skips two days in a moment', { retry: 2 }, async () => {
    const environment = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: await timeSkippingServer() },
    });
    const before = await environment.currentTimeMs();
    await environment.sleep('2 days');
    expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(2 * 86_400_000);
    await environment.teardown();
  });
});
