import { chmod, cp, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestProject, type TestProject, waitingMail } from '@postrider/core/testing/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createInstallation,
  hasTools,
  type Installation,
  onRestored,
  type RunningCommand,
  until as soon,
  startCommand,
} from './backup.fixture.ts';

/** Processes have to start, on a machine that may do other work. */
const until = (isTrue: () => Promise<boolean> | boolean) => soon(isTrue, 90_000);

// A base is a thousand files, which are hashed and copied again and again.
describe.skipIf(!hasTools)('a stream', { timeout: 300_000 }, () => {
  let installation: Installation;
  let project: TestProject;
  /** of the backups */
  let folder: string;
  let base: string;
  let stream: RunningCommand;
  /** before the first email after the base, and between it and the next ones */
  const times = { first: '', second: '' };

  const services = () => installation.test.services;
  const here = (name: string) => join(installation.folder, name);
  const wal = () => join(folder, 'wal');
  const ask = async <R>(sql: string) => (await services().database.durable.query(sql)).rows as R[];
  const segments = async () =>
    (await readdir(wal())).filter((name) => /^[0-9A-F]{24}(\.partial)?$/.test(name));
  const restore = (...args: string[]) => installation.admin(['restore', base, ...args]);

  /** All that was committed until now is in the folder. */
  const received = async () => {
    const [row] = await ask<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS "lsn"');
    await until(
      async () =>
        (
          await ask(
            `SELECT FROM pg_stat_replication WHERE application_name = 'postrider_backup' AND write_lsn >= '${row?.lsn}'::pg_lsn`,
          )
        ).length > 0,
    );
  };
  const streams = async () =>
    (await ask(`SELECT FROM pg_stat_replication WHERE application_name = 'postrider_backup'`)).length;
  const nextSegment = async () => {
    await ask(`SELECT pg_logical_emit_message(true, 'test', 'something')`);
    await ask('SELECT pg_switch_wal()');
  };
  const clock = async () => {
    const [row] = await ask<{ now: Date }>('SELECT clock_timestamp() AS "now"');
    await ask('SELECT pg_sleep(0.05)');
    return row?.now.toISOString() ?? '';
  };
  const emailsIn = (restored: string) =>
    onRestored(installation, restored, async ({ database }) => ({
      emails: await database.prisma.email.count(),
      epoch: await database.prisma.epoch.findFirst({ where: { epoch: 2 } }),
    }));

  beforeAll(async () => {
    installation = await createInstallation();
    await chmod(installation.folder, 0o755);
    folder = here('backups');
    project = await createTestProject(services());
    await waitingMail(services(), project.id, { count: 1 });
    stream = startCommand(installation, ['backup:stream', folder]);
    await until(async () => (await streams()) === 1);
    const made = await installation.admin(['backup', folder]);
    expect(made).toMatchObject({ code: 0 });
    base = made.out;
    await waitingMail(services(), project.id, { count: 2 });
    times.first = await clock();
    await nextSegment();
    await waitingMail(services(), project.id, { count: 4 });
    times.second = await clock();
    await nextSegment();
    await received();
  });
  afterAll(async () => {
    stream.child.kill('SIGKILL');
    await installation.close();
  });

  it('says what keeps the disk of the server from filling up while it does not run', () => {
    expect(stream.said()).toMatch(/ALTER SYSTEM SET max_slot_wal_keep_size = '10GB'/);
    expect(stream.said()).toContain(`WAL is written to ${wal()}`);
  });

  it('goes on after the server was restarted', async () => {
    await installation.database.server.restart();
    await waitingMail(services(), project.id, { count: 8 });
    await until(async () => (await streams()) === 1);
    await received();
    expect(stream.said()).toContain('is begun again in 5 seconds');
  });

  it('leads a base to a time', async () => {
    const into = here('at');
    const done = await restore('--into', into, '--at', times.first);
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringContaining(`data until ${times.first}`),
    });
    expect(await emailsIn(into)).toEqual({
      emails: 3,
      epoch: expect.objectContaining({ dataUntil: new Date(times.first), cause: 'restore' }),
    });
  });

  it('leads a base to its end, by the copy of another folder too, and without it a base is as it was made', async () => {
    const copy = here('elsewhere');
    await cp(wal(), copy, { recursive: true });
    const latest = here('latest');
    const done = await restore('--into', latest, '--at', 'latest', '--wal', copy);
    expect(done).toMatchObject({ code: 0 });
    const { emails, epoch } = await emailsIn(latest);
    expect(emails).toBe(15);
    expect(epoch?.dataUntil?.getTime()).toBeGreaterThan(new Date(times.second).getTime());
    const plain = here('plain');
    expect(await restore('--into', plain)).toMatchObject({ code: 0 });
    expect((await emailsIn(plain)).emails).toBeLessThanOrEqual(3);
  });

  it('does not lead to a time before the base, or after its last commit, and says which that is', async () => {
    const cases = [
      ['2020-01-01T00:00:00Z', /--at is before the time of the data, .*: name an earlier backup/],
      ['2999-01-01T00:00:00Z', /ends before --at: its last commit is of \d{4}-.*--at latest/s],
    ] as const;
    for (const [at, reason] of cases)
      expect(
        await restore('--into', here('never'), '--at', at, '--lost-until', '2999-01-02T00:00:00Z'),
      ).toMatchObject({ code: 1, err: expect.stringMatching(reason) });
    expect(await readdir(here('never')).catch(() => [])).toEqual([]);
  });

  it('whose WAL has a gap, is of another server, or not there, is refused by the name of the file', async () => {
    const full = (await segments()).filter((name) => !name.endsWith('.partial')).sort();
    const third = full.at(-1) ?? '';
    const gap = here('gap');
    await cp(wal(), gap, { recursive: true });
    await rm(join(gap, third));
    expect(await restore('--into', here('never'), '--at', 'latest', '--wal', gap)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${third} is missing, and later WAL is there`),
    });
    const foreign = here('foreign');
    await cp(wal(), foreign, { recursive: true });
    const file = await open(join(foreign, third), 'r+');
    await file.write(Buffer.alloc(8, 7), 0, 8, 24);
    await file.close();
    expect(await restore('--into', here('never'), '--at', 'latest', '--wal', foreign)).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`${third} is of another server`)),
    });
    await mkdir(here('nothing'));
    expect(await restore('--into', here('never'), '--at', 'latest', '--wal', here('nothing'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no WAL that follows the backup'),
    });
    const { out: dump } = await installation.admin(['backup', here('dumps'), '--dump']);
    const args = ['restore', dump, '--into', 'postgres://127.0.0.1/none', '--at', 'latest'];
    expect(await installation.admin(args)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--at needs a base'),
    });
    for (const wrong of [
      ['--wal', gap],
      ['--at', 'noon'],
    ])
      expect(await restore('--into', here('never'), ...wrong)).toMatchObject({ code: 2 });
  });

  it('of which a base is left keeps what that needs when backups are pruned', async () => {
    const copy = here('pruned');
    await cp(folder, copy, { recursive: true });
    const { out } = await installation.admin(['backup', copy]);
    const before = await readdir(join(copy, 'wal'));
    const pruned = await installation.admin(['backup:prune', copy, '--keep', '1d']);
    expect(pruned).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^removed\t\d+ segments of WAL/m),
      err: '',
    });
    const after = await readdir(join(copy, 'wal'));
    expect(after.length).toBeLessThan(before.length);
    expect(after).not.toEqual([]);
    expect(await readdir(copy)).toEqual([out.split('/').at(-1), 'wal']);
  });

  it('ends by SIGTERM with 0, and by a kill -9 leaves nothing that streams', async () => {
    stream.child.kill('SIGTERM');
    expect(await stream.code).toBe(0);
    await until(async () => (await streams()) === 0);
    stream = startCommand(installation, ['backup:stream', folder]);
    await until(async () => (await streams()) === 1);
    stream.child.kill('SIGKILL');
    await until(async () => (await streams()) === 0);
  });

  it('with --sync is one that commits can wait for', async () => {
    stream = startCommand(installation, ['backup:stream', folder, '--sync']);
    await until(async () => (await streams()) === 1);
    expect(stream.said()).toMatch(/ALTER SYSTEM SET synchronous_standby_names = 'postrider_backup'/);
    await ask(`ALTER SYSTEM SET synchronous_standby_names = 'postrider_backup'`);
    await ask('SELECT pg_reload_conf()');
    await until(
      async () => (await ask(`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)).length === 1,
    );
    await ask('ALTER SYSTEM RESET synchronous_standby_names');
    await ask('SELECT pg_reload_conf()');
    stream.child.kill('SIGTERM');
    expect(await stream.code).toBe(0);
  });

  it('says when the server no longer has what follows, and that a folder is of another server', async () => {
    await until(async () => (await streams()) === 0);
    await ask(`SELECT pg_drop_replication_slot('postrider_backup')`);
    for (let count = 0; count < 4; count += 1) await nextSegment();
    for (let count = 0; count < 2; count += 1) await ask('CHECKPOINT');
    const late = startCommand(installation, ['backup:stream', folder]);
    expect(await late.code).toBe(1);
    expect(late.said()).toMatch(/The server no longer has [0-9A-F]{24}, which follows .* make a base/);

    const other = here('other');
    await mkdir(join(other, 'wal'), { recursive: true });
    const head = Buffer.alloc(40);
    head.writeUInt16LE(0xd110, 0);
    head.writeBigUInt64LE(1n, 24);
    await writeFile(join(other, 'wal/000000010000000000000001'), head);
    const foreign = startCommand(installation, ['backup:stream', other]);
    expect(await foreign.code).toBe(1);
    expect(foreign.said()).toContain('has WAL of another server');
  });
});
