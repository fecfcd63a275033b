/** `npm run dev`: the stack of `npm start`, restarting api and worker on changes, and Vite's dev server for the dashboard. */
import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { demoAccess } from './demo.ts';
import { ROOT } from './root.ts';
import type { Service } from './service.ts';
import { readSettings } from './settings.ts';
import { type Stack, startStack } from './stack.ts';

/** Editors write a file in several steps; a restart waits for the last one. */
const settleMs = 300;

const settings = await readSettings(process.env);
const stack = await startStack({
  dataDir: settings.dataDir,
  ports: settings.ports,
  env: settings.env,
  development: true,
  build: 'no-dashboard',
  keepServers: true,
  onEvent: (line) => console.log(line),
});
const access = await demoAccess(stack);
const vite = startVite(stack);
restartOnChange('api', stack.processes.api, ['packages/core/src', 'apps/api/src']);
restartOnChange('worker', stack.processes.worker, ['packages/core/src', 'apps/worker/src']);
console.log(
  `\napi ${stack.urls.api} · mailbox ${stack.urls.mailbox ?? 'none'} · dashboard by Vite, see below`,
);
if (access) console.log(`login ${access.email} / ${access.password}\n`);

let stopping = false;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (stopping) return;
    stopping = true;
    vite.kill();
    void stack.stop().then(() => process.exit(0));
  });
}

function startVite({ urls }: Stack): ChildProcess {
  return spawn(join(ROOT, 'node_modules/.bin/vite'), [], {
    cwd: join(ROOT, 'apps/dashboard'),
    env: { ...process.env, API_URL: urls.api },
    stdio: 'inherit',
  });
}

function restartOnChange(name: string, service: Service, folders: string[]): void {
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();
  const restart = async (): Promise<void> => {
    console.log(`restarting the ${name} …`);
    await service.stop();
    await service.start();
  };
  for (const folder of folders) {
    watch(join(ROOT, folder), { recursive: true }, (_event, file) => {
      if (stopping || file === null || file.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        work = work.then(restart).catch((error: unknown) => console.error(error));
      }, settleMs);
    });
  }
}
