import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDatabase } from '@postrider/core/people/installation';
import { createTestProject } from '@postrider/core/testing/index.ts';
import { POSTGRES_15, type Postgres } from '@postrider/local/postgres';
import { startStandby } from '@postrider/local/postgres-standby';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createInstallation,
  emptyDatabase,
  hasTools,
  type Installation,
  onRestored,
  until,
} from './backup.fixture.ts';

// A base is a thousand files, which are hashed and copied again and again.
describe.skipIf(!hasTools)('a backup from a standby', { timeout: 300_000 }, () => {
  let installation: Installation;
  let standby: Postgres;
  /** of both servers */
  let url: string;

  const here = (name: string) => join(installation.folder, name);
  const admin = (...args: string[]) => installation.admin(args, { DATABASE_URL: url, PG_BIN: POSTGRES_15 });
  const kindOf = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
  const onStandby = (sql: string) =>
    withDatabase(standby.url, async ({ durable }) => (await durable.query(sql)).rows);
  const store = (name: string) => createTestProject(installation.test.services, { name });
  const named = { name: { startsWith: 'Shop' } };

  beforeAll(async () => {
    installation = await createInstallation({ full_page_writes: 'on' });
    // The servers of restored folders run as another user.
    await chmod(installation.folder, 0o755);
    const { server } = installation.database;
    standby = await startStandby(server, { dataDir: here('standby/data'), throwAway: true });
    const { host } = new URL(installation.database.url);
    url = installation.database.url.replace(host, `${host},${new URL(standby.url).host}`);
  });
  afterAll(async () => {
    await standby.stop();
    await installation.close();
  });

  it('needs one in DATABASE_URL, and says so', async () => {
    const { code, err } = await installation.admin(['backup', here('none'), '--from-standby']);
    expect(code).toBe(1);
    expect(err).toContain('DATABASE_URL names no standby that can be read');
  });

  it('as a base has what was committed before it, though the standby was behind, and is verified and restored', async () => {
    await onStandby('SELECT pg_wal_replay_pause()');
    await store('Shop 1');
    const making = admin('backup', here('backups'), '--from-standby');
    // The command reads both servers before it waits for the standby.
    await until(async () => {
      const rows = await onStandby(
        `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_last_wal_replay_lsn%' AND pid <> pg_backend_pid()`,
      );
      return rows.length > 0;
    });
    await onStandby('SELECT pg_wal_replay_resume()');
    const { code, out: path, err } = await making;
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('the whole server') });
    expect(await kindOf(path)).toMatchObject({ kind: 'base', timeline: 1 });
    expect(await readFile(join(path, 'base/backup_label'), 'utf8')).toContain('BACKUP FROM: standby');
    expect(await installation.admin(['backup:verify', path])).toMatchObject({ code: 0 });

    const folder = here('restored');
    expect(await installation.admin(['restore', path, '--into', folder])).toMatchObject({ code: 0 });
    await onRestored(installation, folder, async ({ database: { prisma } }) => {
      expect(await prisma.project.count({ where: named })).toBe(1);
    });
  });

  it('as a dump, too', async () => {
    await store('Shop 2');
    const { code, out: path } = await admin('backup', here('backups'), '--dump', '--from-standby');
    expect(code).toBe(0);
    expect(await kindOf(path)).toMatchObject({ kind: 'dump', epoch: 1 });
    const into = await emptyDatabase(installation, 'restored');
    expect(await installation.admin(['restore', path, '--into', into])).toMatchObject({ code: 0 });
    const restored = await withDatabase(into, ({ prisma }) => prisma.project.count({ where: named }));
    expect(restored).toBe(2);
  });
});
