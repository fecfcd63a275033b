import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinInstallation } from '@postrider/core/people/installation';
import { createTestProject, type TestProject, waitingMail } from '@postrider/core/testing/index.ts';
import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createInstallation,
  emptyDatabase,
  hasTools,
  type Installation,
  onRestored,
  servicesOn,
  until,
  withDelivery,
} from './backup.fixture.ts';

// A base is a thousand files, which are hashed and copied again and again.
describe.skipIf(!hasTools)('the last backup before a move', { timeout: 300_000 }, () => {
  let installation: Installation;
  let project: TestProject;
  let sink: Sink;

  const services = () => installation.test.services;
  const here = (name: string) => join(installation.folder, name);

  beforeAll(async () => {
    installation = await createInstallation();
    await chmod(installation.folder, 0o755);
    project = await createTestProject(services());
    sink = await startSink();
  });
  afterAll(async () => {
    await sink?.stop();
    await installation?.close();
  });

  it.each(['--base', '--dump'])(
    'stops processes, and restored as complete sends each email once: %s',
    async (kind) => {
      const ended: string[] = [];
      const membership = joinInstallation(services(), {
        kind: 'worker',
        everyMs: 50,
        onRestored: (text) => ended.push(text),
        onMisfit: (text) => {
          ended.push(text);
          void membership.leave();
        },
      });
      await until(async () => (await services().database.prisma.process.count()) > 0);
      const before = sink.count();
      const made = await withDelivery(services(), sink.url, async () => {
        const stopped = await installation.admin(['backup', here('backups'), '--final', kind]);
        // A delivery process that has not noticed yet claims nothing.
        await waitingMail(services(), project.id, { count: 2 });
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return stopped;
      });
      expect(made).toMatchObject({
        code: 0,
        err: expect.stringMatching(/have to end: 1.*restore it with --complete.*resume/s),
      });
      expect(ended).toEqual([expect.stringContaining('was stopped for a move')]);
      expect(sink.count()).toBe(before);

      const into = kind === '--base' ? here('moved') : await emptyDatabase(installation, 'moved');
      expect(await installation.admin(['restore', made.out, '--into', into, '--complete'])).toMatchObject({
        code: 0,
      });
      const hold = { hold: null, stoppedAt: null, epoch: 2 };
      if (kind === '--base')
        await onRestored(installation, into, async ({ database }) => {
          expect(await database.prisma.installation.findMany()).toMatchObject([hold]);
        });
      else {
        const moved = await servicesOn(installation, into);
        expect(await moved.services.database.prisma.installation.findMany()).toMatchObject([hold]);
        await moved.close();
      }

      expect(await installation.admin(['resume'])).toMatchObject({
        code: 0,
        out: expect.stringContaining('can be started again'),
      });
      expect(await installation.admin(['resume'])).toMatchObject({
        code: 0,
        out: expect.stringContaining('not stopped'),
      });
      await withDelivery(services(), sink.url, () => until(() => sink.count() === before + 2));
    },
  );

  it('that fails leaves the installation stopped, and says how it goes on', async () => {
    const run = (PG_BIN: string) =>
      installation.admin(['backup', here('failed'), '--final', '--dump'], { PG_BIN });
    const stoppedAt = async () => (await services().database.prisma.installation.findMany())[0]?.stoppedAt;
    expect(await run('/nowhere')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^\/nowhere\/pg_dump was not found/),
    });
    expect(await stoppedAt()).toBeNull();
    await mkdir(here('bin'));
    const script =
      '#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 15" && exit\necho no >&2; exit 1\n';
    await writeFile(join(here('bin'), 'pg_dump'), script, { mode: 0o755 });
    expect(await run(here('bin'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/still stopped.*resume.*pg_dump failed:\nno/s),
    });
    expect(await readdir(here('failed'))).toEqual([]);
    expect(await stoppedAt()).toEqual(expect.any(Date));
    await installation.admin(['resume']);
  });
});
