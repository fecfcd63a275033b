import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type DemoAccess, demoAccess } from './demo.ts';
import { memoryOf, smallBelowMb } from './memory.ts';
import { forceAll } from './registry.ts';
import { readSettings } from './settings.ts';
import { type Stack, type StackPorts, startStack } from './stack.ts';

/**
 * `npm start`: everything on this machine, until Ctrl-C. `npm start -- --reset` starts with empty data, and `npm start -- --wait` waits for
 * Temporal too.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { reset: { type: 'boolean', default: false }, wait: { type: 'boolean', default: false } },
  });
  const settings = await readSettings(process.env);
  const abort = new AbortController();
  const stopped = onStopSignal(() => abort.abort(new Error('stopped')));

  console.log('Starting Postrider …');
  const memoryMb = memoryOf(settings.env);
  if (memoryMb < smallBelowMb && settings.env.PROFILE === undefined)
    console.log(
      `This machine has ${(memoryMb / 1_024).toFixed(1)} GiB of memory: PROFILE=small starts one process in place of three.`,
    );
  if (values.reset && settings.env.DATABASE_URL) {
    console.log('--reset empties DATA_DIR. The database of DATABASE_URL is not changed.');
  }
  const stack = await startStack({
    dataDir: settings.dataDir,
    ports: settings.ports,
    env: settings.env,
    development: true,
    reset: values.reset,
    keepServers: true,
    engineLater: !values.wait,
    onEvent: (line) => console.log(line),
    signal: abort.signal,
  });
  try {
    const access = await demoAccess(stack);
    console.log(welcome(stack, access));
    await Promise.race([tellOfEngine(stack, abort.signal), stopped]);
    await stopped;
  } finally {
    console.log('Stopping …');
    await stack.stop();
  }
}

/** Says what waits for Temporal while it is fetched or built, and when it is there. The product goes on without it. */
async function tellOfEngine({ engine }: Stack, signal: AbortSignal): Promise<void> {
  let isPending = true;
  const settled = engine.finally(() => {
    isPending = false;
  });
  // One that was started before needs a moment.
  await Promise.race([settled.catch(() => undefined), sleep(5_000)]);
  if (isPending)
    console.log(
      'Temporal is not there yet. Email, contacts, events and workflows work; campaigns, imports, exports and schedules begin when it is.',
    );
  const wasPending = isPending;
  try {
    await settled;
    if (wasPending) console.log('Temporal is there: everything works.');
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    console.error(
      `Temporal cannot be started: campaigns, imports, exports and schedules wait until it is there. The next start tries again.\n${reason}`,
    );
  }
}

/** Resolves on the first Ctrl-C or SIGTERM; a second one ends everything at once. */
function onStopSignal(first: () => void): Promise<void> {
  return new Promise((resolve) => {
    let since: number | undefined;
    const stop = () => {
      if (since === undefined) {
        since = Date.now();
        first();
        resolve();
        return;
      }
      // The terminal, npm and the bootstrap each forward the same Ctrl-C; only a later one counts as the second.
      if (Date.now() - since < 1_000) return;
      forceAll();
      process.exit(130);
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
    // The bootstrap was killed; Ctrl-C would no longer reach this process.
    process.on('disconnect', stop);
  });
}

function welcome({ urls, dataDir, env, movedPorts }: Stack, access: DemoAccess | undefined): string {
  const moved = (...names: (keyof StackPorts)[]): string => {
    const taken = names.flatMap((name) => movedPorts[name] ?? []);
    if (taken.length === 0) return '';
    return taken.length === 1
      ? `  (port ${taken[0]} is in use)`
      : `  (ports ${taken.join(' and ')} are in use)`;
  };
  const rows: [string, string | undefined][] = [
    ['Dashboard', urls.dashboard],
    ['API', `${urls.api}/v1`],
    ['Documentation', urls.docs],
    ['GraphQL', urls.graphql],
    ['Mailbox', urls.mailbox && `${urls.mailbox}${moved('mailbox')}`],
    ['Mailbox SMTP', urls.mailbox && `${new URL(urls.smtp ?? '').host}${moved('mailboxSmtp')}`],
    ['SMTP server', urls.mailbox ? undefined : urls.smtp && new URL(urls.smtp).host],
    ['Bounces SMTP', `127.0.0.1:${env.BOUNCE_PORT}${moved('bounces')}`],
    ['Submission SMTP', `127.0.0.1:${env.SUBMISSION_PORT}${moved('submission')}`],
    ['Temporal', `${urls.temporalUi ?? urls.temporal}${moved('temporal', 'temporalUi')}`],
    ['Data and logs', dataDir.path],
  ];
  const sections = [`Postrider is ready.\n\n${table(rows)}`];
  if (access) {
    sections.push(
      table([
        ['Login', `${access.email}  /  ${access.password}`],
        ['Secret key', access.secretKey],
        ['Public key', access.publicKey],
      ]),
      `Send a first email:\n\n${curl(env.API_URL ?? urls.api, access)}`,
    );
  }
  return `\n${sections.join('\n\n')}\n\nCtrl-C stops everything. The data is kept; \`npm start -- --reset\` deletes it and starts over.\n`;
}

function table(rows: [string, string | undefined][]): string {
  const shown = rows.filter((row): row is [string, string] => Boolean(row[1]));
  return shown.map(([name, value]) => `  ${name.padEnd(17)}${value}`).join('\n');
}

function curl(apiUrl: string, { secretKey, from }: DemoAccess): string {
  const body = {
    to: 'reader@example.com',
    from,
    subject: 'Hello {{firstName ?? there}}',
    body: '<p>Your first email from Postrider.</p>',
  };
  return [
    `curl -s ${apiUrl}/v1/send \\`,
    `  -H "Authorization: Bearer ${secretKey}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (message === 'stopped') process.exit(0);
  console.error(`\nPostrider cannot start.\n${message}`);
  process.exit(1);
}
