import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from './ports.ts';
import { isAlive, waitForExit } from './processes.ts';
import { ROOT } from './root.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

// Stand-ins for api and worker that use the given database, port and their own child process.
const API = `
import { createServer } from 'node:http';
import pg from 'pg';
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query('CREATE TABLE IF NOT EXISTS started (at timestamptz DEFAULT now())');
await client.query('INSERT INTO started DEFAULT VALUES');
createServer((_request, response) => response.end(process.env.APP_SECRET)).listen(Number(process.env.PORT), () => process.send({ type: 'ready' }));
process.on('SIGTERM', () => process.exit(0));
`;
const WORKER = `
import { spawn } from 'node:child_process';
const helper = spawn('sleep', ['600']);
process.on('SIGTERM', () => process.exit(0));
setInterval(() => undefined, 1000);
process.send({ type: 'ready' });
console.log('helper', helper.pid);
`;

let folder: string;
let programs: string;
let stack: Stack | undefined;
const dataDir = () => join(folder, 'data');

beforeAll(async () => {
  // In the repository, so that its packages can be resolved.
  programs = await mkdtemp(join(ROOT, 'node_modules', '.programs-'));
  await writeFile(join(programs, 'api.mjs'), API);
  await writeFile(join(programs, 'worker.mjs'), WORKER);
  await writeFile(join(programs, 'broken.mjs'), "throw new Error('no luck today');");
  await writeFile(join(programs, 'never-ready.mjs'), 'setInterval(() => undefined, 1000);');
});

afterAll(() => rm(programs, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-stack-'));
  await chmod(folder, 0o755);
});

afterEach(async () => {
  await stack?.stop();
  stack = undefined;
  await rm(folder, { recursive: true, force: true });
});

function options(more: Partial<StackOptions> = {}): StackOptions {
  return {
    dataDir: dataDir(),
    build: false,
    throwAway: true,
    entries: { api: join(programs, 'api.mjs'), worker: join(programs, 'worker.mjs') },
    ...more,
  };
}

function pidsOf({ processes }: Stack): number[] {
  const { api, worker, postgres, temporal, mailbox } = processes;
  return [api, worker, postgres, temporal, mailbox].flatMap((one) =>
    one?.pid === undefined ? [] : [one.pid],
  );
}

async function helperPid(one: Stack): Promise<number> {
  const log = await readFile(one.processes.worker.logFile, 'utf8');
  return Number(/helper (\d+)/.exec(log)?.[1]);
}

describe('the stack', () => {
  it('starts everything, accepts email, keeps its secret, and leaves no process behind', async () => {
    stack = await startStack(options());
    const pids = [...pidsOf(stack), await helperPid(stack)];
    expect(pids).toHaveLength(6);
    // No other machine reaches what a developer starts.
    expect(stack.env.HOST).toBe('127.0.0.1');
    const secret = await (await fetch(stack.urls.api)).text();
    expect(secret).toBe(stack.env.APP_SECRET);
    await createTransport(stack.urls.smtp).sendMail({
      from: 'a@example.com',
      to: 'b@example.com',
      text: 'hi',
    });
    const { total } = (await (await fetch(`${stack.urls.mailbox}/api/messages`)).json()) as { total: number };
    expect(total).toBe(1);
    await stack.stop();
    for (const pid of pids) expect(await isAlive(pid)).toBe(false);

    stack = await startStack(options());
    expect(await (await fetch(stack.urls.api)).text()).toBe(secret);
  });

  it('uses given servers instead of its own', async () => {
    const other = await startStack(options({ dataDir: join(folder, 'other') }));
    try {
      stack = await startStack(
        options({
          env: {
            DATABASE_URL: other.urls.database,
            TEMPORAL_ADDRESS: other.urls.temporal,
            SMTP_URL: other.urls.smtp ?? '',
          },
        }),
      );
      expect(stack.processes).toMatchObject({ postgres: undefined, temporal: undefined, mailbox: undefined });
      expect(stack.urls.database).toBe(other.urls.database);
    } finally {
      await stack?.stop();
      stack = undefined;
      await other.stop();
    }
  });

  it('restarts a killed program together with its child processes', async () => {
    const lines: string[] = [];
    stack = await startStack(options({ onEvent: (line) => lines.push(line) }));
    const { worker } = stack.processes;
    const [before, helper] = [worker.pid, await helperPid(stack)];
    await worker.kill();
    await worker.ready();
    expect(worker.pid).not.toBe(before);
    expect(worker.restarts).toBe(1);
    expect(await waitForExit(helper, 2_000)).toBe(true);
    expect(lines[0]).toMatch(/^worker ended \(SIGKILL\). Restarting it in 0.25 s/);
  });

  it('restarts a killed PostgreSQL and Temporal with the option keepServers', async () => {
    stack = await startStack(options({ keepServers: true }));
    const { postgres, temporal } = stack.processes;
    if (!postgres || !temporal) throw new Error('Both are expected.');
    for (const server of [postgres, temporal]) {
      const before = server.pid;
      process.kill(before, 'SIGKILL');
      await expect.poll(() => server.pid).not.toBe(before);
    }
  });

  it('runs beside another one that uses its internal ports, and reports which ports moved', async () => {
    const internal = {
      mailbox: await freePort(),
      mailboxSmtp: await freePort(),
      temporal: await freePort(),
      temporalUi: await freePort(),
      postgres: await freePort(),
    };
    const first = await startStack(
      options({ dataDir: join(folder, 'first'), ports: { ...internal, api: await freePort() } }),
    );
    try {
      stack = await startStack(options({ ports: { ...internal, api: await freePort() } }));
      expect(first.movedPorts).toEqual({});
      expect(stack.movedPorts).toEqual(internal);
      for (const { urls, env } of [first, stack]) {
        expect(await (await fetch(urls.api)).text()).toBe(env.APP_SECRET);
        for (const page of [urls.mailbox, urls.temporalUi])
          expect((await fetch(page ?? '')).status).toBe(200);
      }
      const own = new Set<unknown>(Object.values(first.urls));
      expect(Object.values(stack.urls).filter((url) => own.has(url))).toEqual([]);
    } finally {
      await first.stop();
    }
  });

  it('starts empty after a reset', async () => {
    stack = await startStack(options());
    const secret = stack.env.APP_SECRET;
    await stack.stop();
    stack = await startStack(options({ reset: true }));
    expect(stack.env.APP_SECRET).not.toBe(secret);
  });
});

describe('a start that fails', () => {
  it('names PORT when the port of the api is in use, and stops again', async () => {
    const port = await freePort();
    const blocker = createServer().listen(port, '127.0.0.1');
    await once(blocker, 'listening');
    await expect(startStack(options({ ports: { api: port } }))).rejects.toThrow(
      `Port ${port} is already in use. Choose another one with PORT=<port>.`,
    );
    blocker.close();
    stack = await startStack(options());
  });

  it('refuses a second start on the same folder', async () => {
    stack = await startStack(options());
    await expect(startStack(options())).rejects.toThrow('is already running with DATA_DIR');
  });

  it('shows the end of the output of a program that does not become ready, and stops the rest', async () => {
    const entries = { api: join(programs, 'api.mjs'), worker: join(programs, 'broken.mjs') };
    await expect(startStack(options({ entries }))).rejects.toThrow(/worker ended .*no luck today/s);
    await expect(access(join(dataDir(), 'lock.json'))).rejects.toThrow();
  });

  it('is aborted by its signal', async () => {
    const abort = new AbortController();
    const entries = { api: join(programs, 'api.mjs'), worker: join(programs, 'never-ready.mjs') };
    const started = startStack(options({ entries, signal: abort.signal }));
    setTimeout(() => abort.abort(new Error('stopped')), 1_500);
    await expect(started).rejects.toThrow('stopped');
    await expect(access(join(dataDir(), 'lock.json'))).rejects.toThrow();
  });
});

describe('a killed supervisor', () => {
  async function supervisor(): Promise<{ pid: number; pids: number[] }> {
    const script = join(programs, 'supervisor.mjs');
    const source = [
      `import { startStack } from ${JSON.stringify(join(import.meta.dirname, 'stack.ts'))};`,
      `const { processes } = await startStack(${JSON.stringify(options())});`,
      'const { api, worker, postgres, temporal, mailbox } = processes;',
      'console.log(JSON.stringify([api, worker, postgres, temporal, mailbox].map((one) => one?.pid)));',
    ];
    await writeFile(script, source.join('\n'));
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return { pid: child.pid ?? 0, pids: JSON.parse(line) as number[] };
  }

  it('leaves no process running', async () => {
    const { pid, pids } = await supervisor();
    expect(pids).toHaveLength(5);
    process.kill(pid, 'SIGKILL');
    for (const one of pids) expect(await waitForExit(one, 20_000)).toBe(true);
  });

  it('does not block the next start', async () => {
    const { pid } = await supervisor();
    process.kill(pid, 'SIGKILL');
    stack = await startStack(options());
    expect(await (await fetch(stack.urls.api)).text()).toBe(stack.env.APP_SECRET);
  });
});
