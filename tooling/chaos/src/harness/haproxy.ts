import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { program } from '@postrider/local/generator-tools';
import { freePort } from '@postrider/local/ports';
import { stopProcess } from '@postrider/local/processes';
import { register, unregister } from '@postrider/local/registry';
import { ROOT } from '@postrider/local/root';

export interface Balancer {
  url: string;
  stop(): Promise<void>;
}

const patienceMs = 20_000;
/** A machine for tests may not have the descriptors for those of a machine of its own. */
const connections = 2_000;

/** HAProxy with the configuration of `deploy/haproxy`, in which only the addresses and the number of connections are those of this machine. */
export async function startHaproxy(
  ports: readonly number[],
  { folder }: { folder: string },
): Promise<Balancer> {
  const haproxy = await program('haproxy', 'haproxy');
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    withAddresses(await readFile(join(ROOT, 'deploy/haproxy/haproxy.cfg'), 'utf8'), port, ports),
  );
  const child = spawn(haproxy, ['-db', '-f', file], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  register(pid, 'SIGKILL');
  child.once('exit', () => unregister(pid));
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + patienceMs;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`HAProxy does not answer with ${file}`);
    await sleep(100);
  }
  return {
    url,
    stop: () =>
      stopProcess(pid, [
        ['SIGTERM', 2_000],
        ['SIGKILL', 5_000],
      ]),
  };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(new URL('/health/ready', url)).then(
    ({ status }) => status === 200,
    () => false,
  );

function withAddresses(text: string, port: number, ports: readonly number[]): string {
  const lines = text.split('\n');
  const servers = lines.findIndex((line) => line.startsWith('  server api1 '));
  const others = lines.filter((line) => !/^ {2}server api\d/.test(line));
  others.splice(servers, 0, ...ports.map((one, index) => `  server api${index + 1} 127.0.0.1:${one}`));
  return others
    .join('\n')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace('maxconn 20000', `maxconn ${connections}`);
}
