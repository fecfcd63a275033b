import { access, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasPostgres15, POSTGRES_15, startPostgres, stopPostgres } from './postgres.ts';
import { isAlive } from './processes.ts';

let folder: string;
const here = () => join(folder, 'postgres');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-postgres-'));
  await chmod(folder, 0o755);
});

afterEach(async () => {
  await stopPostgres(here());
  await rm(folder, { recursive: true, force: true });
});

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

const versions = (await hasPostgres15())
  ? [
      ['embedded', undefined],
      ['15', POSTGRES_15],
    ]
  : [['embedded', undefined]];

describe.each(versions)('PostgreSQL %s', (_name, binDir) => {
  const options = () => ({ dataDir: here(), throwAway: true, ...(binDir ? { binDir } : {}) });

  it('starts in UTF-8, with 200 connections and the extensions of the product', async () => {
    const server = await startPostgres(options());
    expect(await ask(server.url, 'SHOW server_encoding')).toEqual(['UTF8']);
    expect(await ask(server.url, 'SHOW max_connections')).toEqual(['200']);
    expect(await ask(server.url, "SELECT lower('ÄÖÉ')")).toEqual(['äöé']);
    await ask(server.url, 'CREATE EXTENSION pg_trgm');
    await ask(server.url, 'CREATE EXTENSION btree_gin');
    await server.stop();
    expect(await isAlive(server.pid)).toBe(false);
  });

  it('keeps committed rows over a restart, on the same port', async () => {
    const server = await startPostgres(options());
    await ask(server.url, 'CREATE TABLE kept AS SELECT 7 AS value');
    const before = server.pid;
    await server.restart();
    expect(server.pid).not.toBe(before);
    expect(await ask(server.url, 'SELECT value FROM kept')).toEqual([7]);
  });

  it('recovers the cluster after a kill -9 of the server', async () => {
    const server = await startPostgres({ ...options(), throwAway: false });
    await ask(server.url, 'CREATE TABLE kept AS SELECT 8 AS value');
    await server.kill();
    const again = await startPostgres({ ...options(), throwAway: false });
    expect(await ask(again.url, 'SELECT value FROM kept')).toEqual([8]);
  });

  it('stops a server that an earlier start left running, and uses its cluster', async () => {
    const left = await startPostgres(options());
    await ask(left.url, 'CREATE TABLE kept AS SELECT 9 AS value');
    const again = await startPostgres(options());
    expect(await isAlive(left.pid)).toBe(false);
    expect(await ask(again.url, 'SELECT value FROM kept')).toEqual([9]);
  });
});

describe('as root', () => {
  it.runIf(process.getuid?.() === 0)('works below a folder that other users cannot enter', async () => {
    await chmod(folder, 0o700);
    const server = await startPostgres({
      dataDir: here(),
      throwAway: true,
      logFile: join(folder, 'postgres.log'),
    });
    expect(server.dataDir).not.toBe(here());
    expect(await ask(server.url, 'SELECT 1')).toEqual([1]);
    await server.stop();

    // After its folder is deleted, the next relocation removes the cluster.
    const abandoned = server.dataDir;
    await rm(folder, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'postrider-postgres-'));
    const next = await startPostgres({
      dataDir: here(),
      throwAway: true,
      logFile: join(folder, 'postgres.log'),
    });
    await expect(access(abandoned)).rejects.toThrow();
    await next.stop();
    await rm(next.dataDir, { recursive: true, force: true });
    await rm(`${next.dataDir}.origin`, { force: true });
  });
});
