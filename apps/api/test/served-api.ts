import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Services } from '@postrider/core/base/kernel';
import { strippedFlags } from '@postrider/local/stripped-flags';

const server = fileURLToPath(new URL('../src/server.ts', import.meta.url));

export interface ServedApi {
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** An api process of its own on the database of the test; several of them share it. */
export async function serveApi(
  { config }: Services,
  env: Record<string, string> = {},
  execArgv: string[] = [],
): Promise<ServedApi> {
  const port = await freePort();
  const child = fork(server, [], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      DATABASE_URL: config.DATABASE_URL,
      APP_SECRET: config.APP_SECRET,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      DNS_SERVERS: '127.0.0.1:1',
      PORT: String(port),
      ...env,
    },
    execArgv: [...strippedFlags(), ...execArgv],
    silent: true,
  });
  await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
