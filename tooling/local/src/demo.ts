import { fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stack } from './stack.ts';
import { strippedFlags } from './stripped-flags.ts';

/** The data that the first run creates and the terminal shows: for signing in and for sending. */
export interface DemoAccess {
  email: string;
  password: string;
  /** `sk_…` */
  secretKey: string;
  /** `pk_…` */
  publicKey: string;
  /** An address at the demo project's verified domain. */
  from: string;
}

/**
 * The demo data of this DATA_DIR: created on the first run, read back later. Undefined when it was not created
 * because the database already had accounts. On every start it has the login and the keys of the variables DEMO_….
 */
export async function demoAccess(stack: Stack): Promise<DemoAccess | undefined> {
  const file = join(stack.dataDir.path, 'demo.json');
  const known = await readFile(file, 'utf8').catch(() => undefined);
  const former = known === undefined ? undefined : (JSON.parse(known) as { access?: DemoAccess }).access;
  if (known !== undefined && (former === undefined || isAsWanted(former, stack.env))) return former;
  const access = former ? await seed(stack.env, ['--change', JSON.stringify(former)]) : await seed(stack.env);
  await writeFile(file, `${JSON.stringify({ access }, null, 2)}\n`, { mode: 0o600 });
  return access;
}

const isAsWanted = (access: DemoAccess, env: Record<string, string>): boolean =>
  access.email === (env.DEMO_EMAIL ?? access.email) &&
  access.password === (env.DEMO_PASSWORD ?? access.password) &&
  access.secretKey === (env.DEMO_SECRET_KEY ?? access.secretKey) &&
  access.publicKey === (env.DEMO_PUBLIC_KEY ?? access.publicKey);

/** Creates another demo account in the database of a stack. */
export async function anotherDemo(env: Record<string, string>, name: string): Promise<DemoAccess> {
  const access = await seed(env, [name]);
  if (access === undefined) throw new Error('The seed returned no account');
  return access;
}

/** In a separate process, so that the supervisor does not keep the product's libraries and connections open. */
function seed(env: Record<string, string>, args: string[] = []): Promise<DemoAccess | undefined> {
  const main = fileURLToPath(new URL('../../seed/src/seed-main.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    const child = fork(main, args, {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: strippedFlags(),
    });
    let answer: { access?: DemoAccess } | undefined;
    child.on('message', (message: { access?: DemoAccess }) => {
      answer = message;
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0 && answer) resolve(answer.access);
      else reject(new Error('The demo data could not be created. See the error above.'));
    });
  });
}
