import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  waitingMail,
} from '@postrider/core/testing/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdmin } from '../run-admin.ts';
import { createInstallation, hasTools, type Installation } from './backup.fixture.ts';
import type { Manifest } from './manifest.schema.ts';

it('says which program is missing or too old, and writes nothing', async () => {
  const test = await createTestServices();
  const run = async (folder: string, ...flags: string[]) => {
    const err: string[] = [];
    const code = await runAdmin(['backup', join(test.services.config.DATA_DIR, 'never'), ...flags], {
      environment: () => ({}),
      env: () => ({ ...test.services.config, PG_BIN: folder }),
      out: () => undefined,
      err: (line) => err.push(line),
    });
    return { code, err: err.join('\n') };
  };
  expect(await run('/nowhere', '--dump')).toEqual({
    code: 1,
    err: expect.stringMatching(/\/nowhere\/pg_dump was not found.*postgresql-client.*PG_BIN/s),
  });
  expect(await run('/nowhere')).toEqual({
    code: 1,
    err: expect.stringMatching(/\/nowhere\/pg_basebackup was not found.*postgresql-client.*PG_BIN/s),
  });
  expect(await run('/nowhere', '--base', '--dump')).toMatchObject({ code: 2 });
  // The embedded server is newer than the programs of the system.
  if (hasTools) {
    for (const [flag, program] of [
      ['--dump', 'pg_dump'],
      ['--base', 'pg_basebackup'],
    ] as const)
      expect((await run('/usr/lib/postgresql/15/bin', flag)).err).toMatch(
        new RegExp(`${program} is version 15, older than the \\d+ of the database`),
      );
  }
  await test.close();
});

describe.skipIf(!hasTools)('a dump', () => {
  let installation: Installation;
  let path: string;
  beforeAll(async () => {
    installation = await createInstallation();
    const { services } = installation.test;
    const { id } = await createTestProject(services, { name: 'Shop' });
    await waitingMail(services, id, { count: 3 });
    const campaignId = await sendingCampaign(services, id);
    await waitingMail(services, id, { count: 5, campaignId });
    const uploads = join(services.config.DATA_DIR, 'uploads');
    await mkdir(uploads, { recursive: true });
    await writeFile(join(uploads, 'abc.png'), 'an image');
    const made = await installation.admin(['backup', join(installation.folder, 'backups'), '--dump']);
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining('Keep APP_SECRET') });
    path = made.out;
  });
  afterAll(() => installation.close());

  const manifestOf = async (folder: string): Promise<Manifest> =>
    JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));

  /** A copy of the backup with something wrong. */
  async function damaged(name: string, damage: (copy: string) => Promise<void>): Promise<string> {
    const copy = join(installation.folder, name);
    await cp(path, copy, { recursive: true });
    await damage(copy);
    return copy;
  }

  it('has the database, the uploads and what is needed to use it, but no secret', async () => {
    const { test } = installation;
    const manifest = await manifestOf(path);
    expect(manifest).toMatchObject({
      format: 'postrider-backup',
      version: 1,
      epoch: 1,
      kind: 'dump',
      postgres: 15,
      uploads: { files: 1, bucket: null },
      secretIds: [{ id: expect.stringMatching(/^[0-9a-f]{4}$/) }],
    });
    expect(manifest.parts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['dump/toc.dat', 'uploads/abc.png']),
    );
    expect(JSON.stringify(manifest)).not.toContain(test.services.config.APP_SECRET);
  });

  it('that is sound can be restored, which leaves no database behind', async () => {
    expect(await installation.admin(['backup:verify', path])).toEqual({
      code: 0,
      out: `${path} can be restored.`,
      err: '',
    });
    const { rows } = await installation.test.services.database.durable.query(
      `SELECT FROM pg_database WHERE datname LIKE 'postrider_scratch%'`,
    );
    expect(rows).toEqual([]);
  });

  it('with a flipped byte, or a missing part, is refused by the name of the part', async () => {
    const { parts } = await manifestOf(path);
    const largest = parts.toSorted((one, other) => other.bytes - one.bytes)[0]?.name ?? '';
    const flipped = await damaged('flipped', async (copy) => {
      const bytes = await readFile(join(copy, largest));
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      await writeFile(join(copy, largest), bytes);
    });
    expect(await installation.admin(['backup:verify', flipped])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${largest} was changed`),
    });
    const incomplete = await damaged('incomplete', (copy) => rm(join(copy, 'uploads/abc.png')));
    expect(await installation.admin(['backup:verify', incomplete])).toMatchObject({
      code: 1,
      err: expect.stringContaining('uploads/abc.png is missing'),
    });
    const unfinished = await damaged('unfinished', (copy) => rm(join(copy, 'manifest.json')));
    expect(await installation.admin(['backup:verify', unfinished])).toMatchObject({
      code: 1,
      err: expect.stringContaining('manifest.json is missing'),
    });
  });

  it('of a newer format, or a newer schema, is refused', async () => {
    const changed = (name: string, change: Partial<Manifest>) =>
      damaged(name, async (copy) => {
        await writeFile(
          join(copy, 'manifest.json'),
          JSON.stringify({ ...(await manifestOf(copy)), ...change }),
        );
      });
    const newer = await installation.admin(['backup:verify', await changed('format', { version: 3 })]);
    expect(newer).toMatchObject({ code: 1, err: expect.stringMatching(/has format 3.*reads format 2/) });
    const later = await changed('schema', { schema: '29990101000000_later' });
    expect(await installation.admin(['backup:verify', later])).toMatchObject({
      code: 1,
      err: expect.stringContaining('newer version of Postrider'),
    });
  });

  it('is of no use without its secret, and of use while that is a previous one', async () => {
    const { APP_SECRET } = installation.test.services.config;
    const other = 'another-secret-of-another-installation-1234';
    const wrong = await installation.admin(['backup:verify', path], { APP_SECRET: other });
    const [secret] = (await manifestOf(path)).secretIds;
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `its secret ${secret?.id} is neither APP_SECRET nor one of APP_SECRET_PREVIOUS`,
      ),
    });
    const rotated = { APP_SECRET: other, previousSecrets: [APP_SECRET] };
    expect(await installation.admin(['backup:verify', path], rotated)).toMatchObject({ code: 0 });
  });

  it('of an installation with a bucket names it, and has the uploads from before', async () => {
    const s3 = { S3_BUCKET: 'images', S3_REGION: 'eu-central-1' };
    const { code, out, err } = await installation.admin(
      ['backup', join(installation.folder, 'bucket'), '--dump'],
      s3,
    );
    expect([code, err]).toEqual([0, expect.stringContaining('in the bucket images, which is not copied')]);
    expect((await manifestOf(out)).uploads).toEqual({ files: 1, bucket: 'images' });
  });

  it('that contradicts itself is found', async () => {
    const { test, folder } = installation;
    const { prisma } = test.services.database;
    const counter = await prisma.campaignCounter.findFirstOrThrow();
    const set = (sentCount: number) =>
      prisma.campaignCounter.update({ where: { campaignId: counter.campaignId }, data: { sentCount } });
    await set(4);
    const { out } = await installation.admin(['backup', join(folder, 'wrong'), '--dump']);
    await set(counter.sentCount);
    expect(await installation.admin(['backup:verify', out])).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `the counters of the campaign ${counter.campaignId} differ from its emails: sentCount by -4`,
      ),
    });
  });

  it('is removed when newer ones take its place, but for the last verified one', async () => {
    const folder = join(installation.folder, 'kept');
    const of = async (name: string, dataUntil: string, isVerified: boolean): Promise<void> => {
      const copy = await damaged(`kept/${name}`, async () => undefined);
      await writeFile(
        join(copy, 'manifest.json'),
        JSON.stringify({ ...(await manifestOf(copy)), dataUntil }),
      );
      if (!isVerified) await rm(join(copy, 'verified.json'), { force: true });
    };
    await of('verified', '2026-01-01T03:00:00.000Z', true);
    await of('old', '2026-01-02T03:00:00.000Z', false);
    await of('new', '2026-01-03T03:00:00.000Z', false);
    await mkdir(join(folder, 'something-else'));
    expect(await installation.admin(['backup:prune', folder])).toMatchObject({ code: 2 });
    const { code, out, err } = await installation.admin(['backup:prune', folder, '--keep', '1d']);
    expect(code).toBe(0);
    expect(out.split('\n').sort()).toEqual(['kept\tnew', 'kept\tverified', 'removed\told']);
    expect(err).toContain('something-else');
    expect((await readdir(folder)).sort()).toEqual(['new', 'something-else', 'verified']);
  });
});
