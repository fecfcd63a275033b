import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listenToChannel } from '../base/db/index.ts';
import { readConfig } from '../base/kernel/index.ts';
import { runOn } from '../testing/template-database.ts';
import { createDatabaseOnOwnServer, type OwnServerDatabase } from '../testing/test-database.ts';
import { type ComposedServices, composeServices } from './compose.ts';

let own: OwnServerDatabase;
let folder: string;
let services: ComposedServices;
let file: string;

const urlWith = (password: string): string => {
  const url = new URL(own.url);
  url.username = 'joe';
  url.password = encodeURIComponent(password);
  return url.href;
};
/** As an operator does: the role first, then the file. */
const passwordBecomes = (password: string) => runOn(own.url, `ALTER ROLE joe PASSWORD '${password}'`);
const dropConnections = () =>
  runOn(own.url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'joe'`);

beforeAll(async () => {
  own = await createDatabaseOnOwnServer();
  folder = await mkdtemp(join(tmpdir(), 'postrider-password-'));
  file = join(folder, 'url');
  await runOn(own.url, `CREATE ROLE joe LOGIN PASSWORD 'first@1'`);
  await runOn(own.url, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO joe');
  await writeFile(file, `${urlWith('first@1')}\n`);
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL_FILE: file,
    APP_SECRET: randomBytes(24).toString('hex'),
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  });
  services = composeServices(config, pino({ level: 'silent' }), {
    connections: 2,
    repeatTemporalCalls: false,
  });
});
afterAll(async () => {
  await services?.close();
  await own.drop();
  await rm(folder, { recursive: true, force: true });
});

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { code?: string }) => error.code,
  );

it('the password of the database changes while a process runs: new connections have that of the file', async () => {
  const { durable, prisma } = services.database;
  const look = () => durable.query('SELECT current_user');
  expect((await look()).rows).toEqual([{ current_user: 'joe' }]);
  await passwordBecomes('second/2');
  await dropConnections();
  await expect.poll(() => codeOf(look())).toBe('28P01');
  await writeFile(file, urlWith('second/2'));
  expect((await look()).rows).toEqual([{ current_user: 'joe' }]);
  expect(await prisma.installation.count()).toBe(1);
  const stop = new AbortController();
  await new Promise<void>((resolve) => {
    void listenToChannel({
      url: services.config.DATABASE_URL,
      channel: 'some_channel',
      onPayload: () => undefined,
      onListening: resolve,
      log: services.log,
      stopped: stop.signal,
    });
  });
  stop.abort();
});
