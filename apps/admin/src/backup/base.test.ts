import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, open, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFaults } from '@postrider/core/insight/restore';
import {
  createTestProject,
  sendingCampaign,
  type TestProject,
  waitingMail,
} from '@postrider/core/testing/index.ts';
import { POSTGRES_15 } from '@postrider/local/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createInstallation,
  emptyDatabase,
  hasTools,
  type Installation,
  isAlive,
  onRestored,
  startCommand,
  until,
} from './backup.fixture.ts';
import type { BaseManifest } from './manifest.schema.ts';
import { giveTo, serverUser } from './server-user.ts';

// A base is a thousand files, which are hashed and copied again and again.
describe.skipIf(!hasTools)('a base', { timeout: 300_000 }, () => {
  let installation: Installation;
  let project: TestProject;
  let path: string;

  const services = () => installation.test.services;
  const ask = async <R>(sql: string) => (await services().database.durable.query(sql)).rows as R[];
  const here = (name: string) => join(installation.folder, name);
  const manifestOf = async (folder: string): Promise<BaseManifest> =>
    JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));

  beforeAll(async () => {
    installation = await createInstallation();
    // The servers of restored folders run as another user.
    await chmod(installation.folder, 0o755);
    project = await createTestProject(services(), { name: 'Shop' });
    await waitingMail(services(), project.id, { count: 3 });
    const campaignId = await sendingCampaign(services(), project.id);
    await waitingMail(services(), project.id, { count: 5, campaignId });
    await services().database.prisma.campaign.update({
      where: { id: campaignId },
      data: { totalRecipients: 5 },
    });
    const uploads = join(services().config.DATA_DIR, 'uploads');
    await mkdir(uploads, { recursive: true });
    await writeFile(join(uploads, 'abc.png'), 'an image');
    const made = await installation.admin(['backup', here('backups')]);
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining('the whole server') });
    path = made.out;
  });
  afterAll(() => installation.close());

  /** A copy of the backup with something wrong. */
  async function damaged(name: string, damage: (copy: string) => Promise<void>): Promise<string> {
    const copy = here(name);
    await cp(path, copy, { recursive: true });
    await damage(copy);
    return copy;
  }

  const change = async (copy: string, changes: Partial<BaseManifest>): Promise<void> => {
    const text = JSON.stringify({ ...(await manifestOf(path)), ...changes });
    await writeFile(join(copy, 'manifest.json'), text);
  };

  async function flip(file: string, at: number, bytes = 1): Promise<void> {
    const handle = await open(file, 'r+');
    const { buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, at);
    await handle.write(
      buffer.map((byte) => byte ^ 0xff),
      0,
      bytes,
      at,
    );
    await handle.close();
  }

  it('is made by default of a server that may be copied, and says what it is of, but no secret', async () => {
    const manifest = await manifestOf(path);
    const database = new URL(installation.database.url).pathname.slice(1);
    expect(manifest).toMatchObject({
      format: 'postrider-backup',
      version: 2,
      kind: 'base',
      epoch: 1,
      postgres: 15,
      systemId: expect.stringMatching(/^\d{15,20}$/),
      timeline: 1,
      lsn: expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/),
      database,
      role: 'postgres',
      superuser: 'postgres',
      uploads: { files: 1, bucket: null },
    });
    const names = manifest.parts.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'base/PG_VERSION',
        'base/backup_label',
        'base/backup_manifest',
        'base/global/pg_control',
        'uploads/abc.png',
      ]),
    );
    expect(names.some((name) => /^base\/pg_wal\/[0-9A-F]{24}$/.test(name))).toBe(true);
    expect(JSON.stringify(manifest)).not.toContain(services().config.APP_SECRET);
  });

  it('has the time of its end, not of its beginning', async () => {
    const { parts, dataUntil, lsn } = await manifestOf(path);
    expect(parts.length).toBeGreaterThan(500);
    const [row] = await ask<{ isBefore: boolean; recent: boolean }>(
      `SELECT pg_current_wal_lsn() >= '${lsn}'::pg_lsn AS "isBefore", clock_timestamp() > '${dataUntil}'::timestamptz AS "recent"`,
    );
    expect(row).toEqual({ isBefore: true, recent: true });
  });

  it('that is sound starts, which leaves nothing behind', async () => {
    const scratch = async () =>
      (await readdir(tmpdir())).filter((name) => /^postrider-(verify|server)-/.test(name));
    const before = await scratch();
    expect(await installation.admin(['backup:verify', path])).toEqual({
      code: 0,
      out: `${path} can be restored.`,
      err: '',
    });
    expect(await readdir(path)).toContain('verified.json');
    expect((await scratch()).filter((name) => !before.includes(name))).toEqual([]);
  });

  it('with a flipped byte, a missing part, a link or a file too many is refused by its name', async () => {
    const refusal = async (copy: string) => {
      const { code, err } = await installation.admin(['backup:verify', copy]);
      expect(code).toBe(1);
      return err;
    };
    const { parts } = await manifestOf(path);
    const wal = parts.find(({ name }) => /pg_wal\/[0-9A-F]{24}$/.test(name))?.name ?? '';
    const table = parts.find(({ name }) => /^base\/base\/\d+\/\d+$/.test(name))?.name ?? '';
    const copy = await damaged('damaged-files', async () => undefined);
    for (const part of [wal, 'base/backup_manifest']) {
      const file = join(copy, part);
      await flip(file, 100);
      expect(await refusal(copy)).toContain(`${part} was changed`);
      await flip(file, 100);
      await rename(file, `${file}.away`);
      expect(await refusal(copy)).toContain(`${part} is missing`);
      await rename(`${file}.away`, file);
    }
    await rename(join(copy, table), join(copy, `${table}.away`));
    await symlink(`${table.split('/').at(-1)}.away`, join(copy, table));
    expect(await refusal(copy)).toContain(`${table} is a link`);
    await rename(join(copy, `${table}.away`), join(copy, table));
    await writeFile(join(copy, 'base/global/1'), '');
    expect(await refusal(copy)).toContain('global/1');
    await change(copy, { parts: [...parts, { name: 'base/../../x', bytes: 1, sha256: '' }] });
    expect(await refusal(copy)).toContain('must be the path of a file in the backup');
  });

  it('of a newer format, another version of PostgreSQL, or with another secret is refused', async () => {
    const copy = await damaged('other', async () => undefined);
    const cases = [
      [{ version: 3 }, /has format 3.*reads format 2/],
      [{ schema: '29990101000000_later' }, /newer version of Postrider/],
      [{ postgres: 16 }, /pg_verifybackup is version 15.*of PostgreSQL 16.*postgresql-client-16.*PG_BIN/s],
    ] as const;
    for (const [changes, reason] of cases) {
      await change(copy, changes);
      expect(await installation.admin(['backup:verify', copy])).toMatchObject({
        code: 1,
        err: expect.stringMatching(reason),
      });
    }
    expect(await installation.admin(['restore', copy, '--into', here('never')])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/postgres is version 15.*of PostgreSQL 16.*on Debian postgresql-16/s),
    });
    const wrong = { APP_SECRET: 'another-secret-of-another-installation-1234' };
    for (const command of [
      ['backup:verify', path],
      ['restore', path, '--into', here('never')],
    ])
      expect(await installation.admin(command, wrong)).toMatchObject({
        code: 1,
        err: expect.stringContaining('its secret'),
      });
    expect(await readdir(installation.folder)).not.toContain('never');
  });

  it('whose programs are missing names them and their packages', async () => {
    const none = { PG_BIN: '/nowhere' };
    expect(await installation.admin(['backup:verify', path], none)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\/nowhere\/pg_verifybackup was not found.*postgresql-client-15/),
    });
    expect(await installation.admin(['restore', path, '--into', here('never')], none)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\/nowhere\/postgres was not found.*on Debian postgresql-15/),
    });
  });

  it('with a damaged table that its hash does not show is found', async () => {
    const [row] = await ask<{ file: string }>(`SELECT pg_relation_filepath('"Email"') AS "file"`);
    const part = `base/${row?.file}`;
    const copy = await damaged('damaged', async (to) => {
      await flip(join(to, part), 24, 40);
      const sha256 = createHash('sha256')
        .update(await readFile(join(to, part)))
        .digest('hex');
      const manifest = await manifestOf(to);
      const parts = manifest.parts.map((one) => (one.name === part ? { ...one, sha256 } : one));
      await writeFile(join(to, 'manifest.json'), JSON.stringify({ ...manifest, parts }));
    });
    expect(await installation.admin(['backup:verify', copy])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/pg_amcheck failed:.*"?Email"?/s),
    });
    expect(await readdir(copy)).not.toContain('verified.json');
  });

  describe('of a server that may not be copied', () => {
    const refused = async (reason: RegExp, config = {}) => {
      const base = await installation.admin(['backup', here('refused'), '--base'], config);
      expect(base).toMatchObject({ code: 1, err: expect.stringMatching(reason) });
      const dump = await installation.admin(['backup', here('refused')], config);
      expect(dump).toMatchObject({ code: 0, err: expect.stringMatching(reason) });
      expect((await manifestOf(dump.out)).kind).toBe('dump');
    };

    it('by its user is refused with the statement that allows it, and a dump is made by default', async () => {
      await ask(`CREATE ROLE plain LOGIN PASSWORD 'plain'`);
      await ask('GRANT pg_read_all_data, pg_write_all_data TO plain');
      const url = Object.assign(new URL(installation.database.url), { username: 'plain', password: 'plain' });
      await refused(/ALTER ROLE "plain" REPLICATION/, { DATABASE_URL: url.href });
    });

    it('because of a tablespace names it', async () => {
      const location = here('tablespace');
      await mkdir(location);
      await giveTo(await serverUser(), location);
      await ask(`CREATE TABLESPACE elsewhere LOCATION '${location}'`);
      await refused(/tablespaces, which a copy leaves out \(elsewhere\)/);
      await ask('DROP TABLESPACE elsewhere');
    });

    it('by pg_hba.conf names the line that is missing', async () => {
      const file = join(installation.database.server.dataDir, 'pg_hba.conf');
      const before = await readFile(file, 'utf8');
      await writeFile(file, 'host all all 127.0.0.1/32 scram-sha-256\n');
      await ask('SELECT pg_reload_conf()');
      await until(async () => (await ask(`SELECT FROM pg_hba_file_rules`)).length === 1);
      await refused(/pg_hba\.conf needs a line such as "host replication postgres/);
      await writeFile(file, before);
      await ask('SELECT pg_reload_conf()');
    });
  });

  describe('that is interrupted', () => {
    /** Processes have to start, on a machine that may do other work. */
    const patienceMs = 90_000;

    /** Programs of which one is changed by a line of the shell, so that it takes long. */
    async function slowed(program: string, line: string): Promise<string> {
      const folder = here(`slow-${program}`);
      await mkdir(folder, { recursive: true });
      for (const name of await readdir(POSTGRES_15))
        if (name !== program) await symlink(join(POSTGRES_15, name), join(folder, name));
      const script = `#!/bin/sh\nreal=${POSTGRES_15}/${program}\n[ "$1" = --version ] && exec $real --version\n${line}\n`;
      await writeFile(join(folder, program), script, { mode: 0o755 });
      return folder;
    }

    const copies = async () =>
      Number((await ask<{ count: number }>('SELECT count(*) FROM pg_stat_replication'))[0]?.count);
    /** The files of the base that is being made. */
    const begun = async (folder: string) => {
      const [name = ''] = await readdir(folder).catch(() => []);
      return readdir(join(folder, name, 'base')).catch(() => []);
    };

    it('by a kill -9 leaves no folder, and nothing that still copies', async () => {
      const bin = await slowed('pg_basebackup', 'exec $real --max-rate=32k "$@"');
      const folder = here('killed');
      const { child, code } = startCommand(installation, ['backup', folder, '--base'], { PG_BIN: bin });
      await until(async () => (await begun(folder)).length > 0 && (await copies()) > 0, patienceMs);
      child.kill('SIGKILL');
      await code;
      await until(async () => (await readdir(folder)).length === 0 && (await copies()) === 0, patienceMs);
    });

    it('by a restart of the server says so, and leaves no folder', async () => {
      const bin = await slowed('pg_basebackup', 'exec $real --max-rate=32k "$@"').catch(() =>
        here('slow-pg_basebackup'),
      );
      const folder = here('restarted');
      const running = installation.admin(['backup', folder, '--base'], { PG_BIN: bin });
      await until(async () => (await begun(folder)).length > 0 && (await copies()) > 0, patienceMs);
      await installation.database.server.restart();
      expect(await running).toMatchObject({
        code: 1,
        err: expect.stringContaining('pg_basebackup failed'),
      });
      expect(await readdir(folder)).toEqual([]);
    });

    it('while it is restored, by a kill -9, leaves an empty folder and no server', async () => {
      const bin = await slowed('postgres', `exec $real "$@" -c "restore_command=sleep 15; false"`);
      const folder = here('half-restored');
      const { child, code } = startCommand(installation, ['restore', path, '--into', folder], {
        PG_BIN: bin,
      });
      const pidFile = join(folder, 'unfinished/postmaster.pid');
      const pidOf = async () => Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
      await until(async () => (await pidOf()) > 0, patienceMs);
      const pid = await pidOf();
      child.kill('SIGKILL');
      await code;
      await until(async () => (await readdir(folder)).length === 0, patienceMs);
      await until(() => !isAlive(pid), patienceMs);
    });
  });

  it('is restored into an empty folder, on which a server then starts that repeats nothing', async () => {
    const folder = here('restored');
    const done = await installation.admin(['restore', path, '--into', folder]);
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^epoch\t2\tdata until .*^mayHaveLeft\t8\t/ms),
      err: expect.stringMatching(/Start PostgreSQL 15 on .*restored.*restore:release/s),
    });
    const names = await readdir(folder);
    expect(names).toContain('PG_VERSION');
    for (const left of ['unfinished', 'recovery.signal', 'postmaster.pid', 'backup_label'])
      expect(names).not.toContain(left);

    await onRestored(installation, folder, async ({ database }) => {
      const { prisma, durable } = database;
      expect(await prisma.installation.findMany()).toMatchObject([{ epoch: 2, hold: 'all' }]);
      expect(await prisma.epoch.findMany({ orderBy: { epoch: 'asc' } })).toMatchObject([
        { epoch: 1, cause: 'installation' },
        {
          epoch: 2,
          cause: 'restore',
          inFlight: 'uncertain',
          dataUntil: new Date((await manifestOf(path)).dataUntil),
        },
      ]);
      expect(await prisma.email.groupBy({ by: ['status'], _count: true })).toEqual([
        { status: 'UNCERTAIN', _count: 8 },
      ]);
      expect(await findFaults(database)).toEqual([]);
      const { rows } = await durable.query(
        `SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS "timeline"`,
      );
      expect(rows).toEqual([{ timeline: '00000002' }]);
    });
  });

  it('is restored into no folder that has anything in it, is a file, leads nowhere or lies in the backup', async () => {
    await mkdir(here('full'));
    await writeFile(join(here('full'), 'notes.txt'), 'mine');
    await mkdir(join(here('half'), 'unfinished'), { recursive: true });
    await symlink(here('not-there'), here('dangling'));
    const cases = [
      [here('full'), /is not empty \(notes.txt\)/],
      [here('half'), /of a restore that did not end/],
      [join(here('full'), 'notes.txt'), /is a file/],
      [here('dangling'), /a link that leads nowhere/],
      [join(path, 'inside'), /lies in the backup/],
      [installation.database.url, /is a base, the copy of a whole server: --into needs an empty folder/],
    ] as const;
    for (const [into, reason] of cases)
      expect(await installation.admin(['restore', path, '--into', into])).toMatchObject({
        code: 1,
        err: expect.stringMatching(reason),
      });
    expect(await readFile(join(here('full'), 'notes.txt'), 'utf8')).toBe('mine');
    expect(await readdir(path)).not.toContain('inside');
  });

  it('is restored through a link, and as a complete one loses and holds nothing', async () => {
    await mkdir(here('behind'));
    await symlink(here('behind'), here('linked-folder'));
    const done = await installation.admin(['restore', path, '--into', here('linked-folder'), '--complete']);
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^waiting\t8\t/m) });
    await onRestored(installation, here('behind'), async ({ database }) => {
      expect(await database.prisma.installation.findMany()).toMatchObject([{ epoch: 2, hold: null }]);
    });
  });

  it('and a dump are restored without their secret only when that is asked for, and what is lost is listed', async () => {
    const other = { APP_SECRET: 'another-secret-of-another-installation-1234' };
    const { prisma } = services().database;
    await prisma.optOut.create({ data: { projectId: project.id, addressHash: Buffer.alloc(16, 1) } });
    const lost = /^lost Project\.secretKeyCipher\t\d+\t.*^lost OptOut\t1\t/ms;
    for (const [kind, into] of [
      ['--base', here('without')],
      ['--dump', await emptyDatabase(installation, 'without_secret')],
    ] as const) {
      const { out } = await installation.admin(['backup', here('without-secret'), kind]);
      const args = ['restore', out, '--into', into];
      expect(await installation.admin(args, other)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/its secret [0-9a-f]{4} is neither .*--without-secret/),
      });
      expect(await installation.admin([...args, '--without-secret'], other)).toMatchObject({
        code: 0,
        out: expect.stringMatching(lost),
        err: expect.stringContaining('to unsubscribe, are not recognized'),
      });
    }
    const rotated = { APP_SECRET: other.APP_SECRET, previousSecrets: [services().config.APP_SECRET] };
    const kept = await installation.admin(
      ['restore', path, '--into', here('kept'), '--without-secret'],
      rotated,
    );
    expect(kept).toMatchObject({ code: 0, out: expect.not.stringMatching(/^lost /m) });
  });

  it('and a dump are not mixed up: --into of a dump is a URL', async () => {
    const { out } = await installation.admin(['backup', here('dumps'), '--dump']);
    expect(await installation.admin(['restore', out, '--into', here('never')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is a dump: --into needs the postgres:// URL of an empty database'),
    });
  });
});
