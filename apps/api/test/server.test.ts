import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, type TestDatabase } from '@postrider/core/testing/test-database.ts';
import { strippedFlags } from '@postrider/local/stripped-flags';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const server = fileURLToPath(new URL('../src/server.ts', import.meta.url));

let database: TestDatabase;
let child: ChildProcess | undefined;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

function start(env: Record<string, string>): ChildProcess {
  child = fork(server, [], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      APP_SECRET: 'x'.repeat(32),
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      DRAIN_SECONDS: '0',
      ...env,
    },
    execArgv: strippedFlags(),
    silent: true,
  });
  return child;
}

const exitOf = async (process: ChildProcess): Promise<number | null> =>
  (await once(process, 'exit'))[0] as number | null;

/** A server that has reported ready, on a database that it has migrated itself. */
async function startReady(env: Record<string, string> = {}): Promise<{ process: ChildProcess; url: string }> {
  const port = await freePort();
  const process = start({ DATABASE_URL: database.url, PORT: String(port), ...env });
  const [message] = (await once(process, 'message')) as [unknown];
  expect(message).toEqual({ type: 'ready' });
  return { process, url: `http://127.0.0.1:${port}` };
}

/** What an answer says of its connection. */
async function connectionOf(agent: Agent, url: string): Promise<string | undefined> {
  const [answer] = (await once(get(`${url}/health/live`, { agent }), 'response')) as [IncomingMessage];
  await answer.toArray();
  return answer.headers.connection;
}

describe('the process', () => {
  it('migrates, reports when it is ready, and exits with 0 on SIGTERM', async () => {
    const { process, url } = await startReady();
    const answer = await fetch(`${url}/health/live`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
    const exit = exitOf(process);
    process.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('after SIGTERM is not ready, and goes on answering for DRAIN_SECONDS', async () => {
    const { process, url } = await startReady({ DRAIN_SECONDS: '2' });
    const exit = exitOf(process);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${url}/config`)).status).toBe(200);
    expect(await exit).toBe(0);
  });

  it('after SIGTERM says with each answer that it is the last of its connection', async () => {
    const { process, url } = await startReady({ DRAIN_SECONDS: '300' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await connectionOf(agent, url)).toBe('keep-alive');
    process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${url}/health/ready`)).status).toBe(503);
    expect(await connectionOf(agent, url)).toBe('close');
    expect(await connectionOf(agent, url)).toBe('close');
  });

  it('answers a request that had begun when it stopped to listen', async () => {
    const { process, url } = await startReady();
    const exit = exitOf(process);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n');
    // What was sent has reached the server when a later connection is answered.
    await fetch(`${url}/health/live`);
    process.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(url).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused');
    socket.write('\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await exit).toBe(0);
  });

  it('completes running requests before it ends', async () => {
    const { process, url } = await startReady();
    const exit = exitOf(process);
    // Sign-up hashes a password, which takes long enough for the signal to arrive in between.
    const signup = fetch(`${url}/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'slow@example.com', password: 'correct horse' }),
    });
    await fetch(`${url}/health/live`);
    process.kill('SIGTERM');
    expect((await signup).status).toBe(201);
    expect(await exit).toBe(0);
  });

  it('ends when its parent process has ended', async () => {
    const { process } = await startReady();
    const exit = exitOf(process);
    process.disconnect();
    expect(await exit).toBe(0);
  });

  it('names every invalid variable and exits with 1', async () => {
    const process = start({ DATABASE_URL: 'mysql://x', PORT: 'many' });
    let text = '';
    process.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    expect(await exitOf(process)).toBe(1);
    expect(text).toMatch(/DATABASE_URL[\s\S]*PORT/);
  });
});
