import { systemContext } from '@postrider/core/base/kernel';
import { keepNote } from '@postrider/core/people/domains';
import { login, resetPassword } from '@postrider/core/people/users';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestServices,
} from '@postrider/core/testing/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands, runAdmin } from './run-admin.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

async function admin(...args: string[]) {
  const lines = { out: [] as string[], err: [] as string[] };
  const code = await runAdmin(args, {
    env: () => test.services.config,
    environment: () => ({}),
    out: (line) => lines.out.push(line),
    err: (line) => lines.err.push(line),
  });
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('project:disable and project:enable', () => {
  it('change the state of the project, keep its history, and say so in the list', async () => {
    const { id } = await createTestProject(test.services, { name: 'Shop' });
    expect(await admin('project:disable', id, '--reason', 'PHISHING_DETECTED')).toMatchObject({ code: 0 });
    expect((await admin('project:list')).out).toContain(`${id}\tShop\tPHISHING_DETECTED\t`);
    expect(await admin('project:enable', id)).toMatchObject({ code: 0 });
    expect((await admin('project:list')).out).toContain(`${id}\tShop\tenabled\t`);
    const { prisma } = test.services.database;
    const history = await prisma.suspension.findMany({ where: { projectId: id } });
    expect(history).toMatchObject([{ reason: 'PHISHING_DETECTED', liftedAt: expect.any(Date) }]);
  });

  it('change nothing a second time', async () => {
    const { id } = await createTestProject(test.services);
    expect(await admin('project:enable', id)).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing'),
    });
  });

  it('exit with 1 for an unknown project', async () => {
    expect(await admin('project:enable', unknown)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/project/),
    });
  });

  it('exit with 2 without a reason that exists, and change nothing', async () => {
    const { id } = await createTestProject(test.services);
    for (const args of [[], ['--reason', 'BORED'], ['--reason']])
      expect(await admin('project:disable', id, ...args)).toMatchObject({ code: 2, out: '' });
    expect((await admin('project:list')).out).toContain(`${id}\tTest project\tenabled\t`);
  });
});

it('user:reset-link prints a link whose token sets a new password once', async () => {
  const { ownerId } = await createTestProject(test.services);
  const { email } = await test.services.database.prisma.user.findUniqueOrThrow({ where: { id: ownerId } });
  const { code, out } = await admin('user:reset-link', email);
  expect(code).toBe(0);
  const token = new URL(out).searchParams.get('token') ?? '';
  const password = 'a new password of the owner';
  const anyone = systemContext(test.services);
  await resetPassword.run(anyone, { token, password });
  expect(await login.run(anyone, { email, password })).toMatchObject({ id: ownerId });
  await expect(resetPassword.run(anyone, { token, password })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('user:reset-link exits with 1 for an unknown address', async () => {
  expect(await admin('user:reset-link', 'missing@people.test')).toMatchObject({
    code: 1,
    err: expect.stringContaining('missing@people.test'),
  });
});

it('user:list shows each user with the roles in their projects', async () => {
  const { id, ownerId } = await createTestProject(test.services);
  const { out } = await admin('user:list');
  expect(out.split('\n').find((line) => line.startsWith(ownerId))).toMatch(
    new RegExp(`^${ownerId}\t\\S+@people.test\tyes\t${id}:OWNER\t\\d{4}-`),
  );
});

it('lists are complete beyond one page', async () => {
  const { prisma } = test.services.database;
  const ids = Array.from(
    { length: 1_100 },
    (_, n) => `00000000-0000-7000-9000-${String(n).padStart(12, '0')}`,
  );
  await prisma.user.createMany({ data: ids.map((id, n) => ({ id, email: `paged-${n}@people.test` })) });
  const listed = new Set((await admin('user:list')).out.split('\n').map((line) => line.split('\t')[0]));
  expect(ids.filter((id) => !listed.has(id))).toEqual([]);
});

it('secrets:rotate says what it did, and what older secrets are still needed for', async () => {
  await createTestProject(test.services);
  const { code, out, err } = await admin('secrets:rotate');
  expect(code).toBe(0);
  expect(out).toContain('Project.secretKeyCipher\t');
  expect(err).toContain('APP_SECRET_PREVIOUS');
});

describe('usage', () => {
  it('lists every command, on request and after a mistake', async () => {
    const help = await admin('help');
    for (const name of Object.keys(commands)) expect(help.out).toContain(name);
    expect(await admin('project:explode')).toMatchObject({ code: 2, err: expect.stringContaining(help.out) });
    expect((await admin('project:explode')).err).toMatch(/\nThere is no command project:explode\.$/);
  });

  it('of a command shows how it is called, and at the end what is wrong', async () => {
    const { code, err } = await admin('project:list', 'too', 'much');
    expect(code).toBe(2);
    expect(err).toMatch(/^npm run admin -- project:list\n.+\n\nThe command takes no argument\.$/s);
    expect((await admin('project:disable', '--why', 'spam')).err).toMatch(/\n\nUnknown option '--why'/);
  });
});

it('addresses:check says what becomes of addresses that are not in their normal form, and changes nothing', async () => {
  const { id } = await createTestProject(test.services);
  const { prisma } = test.services.database;
  const emails = [
    'ann@müller.example',
    'ann@xn--mller-kva.example',
    'bob@mäx.example',
    'cyd@1.2.3',
    'dee@people.test',
  ];
  await prisma.contact.createMany({
    data: emails.map((email, n) => ({ id: `01890a5d-ac96-774b-bcce-b302099a900${n}`, projectId: id, email })),
  });
  const { code, out } = await admin('addresses:check');
  expect(code).toBe(0);
  const rows = out.split('\n').filter((line) => line.includes(id));
  expect(rows).toEqual([
    `merged\tcontact\t${id}\tann@müller.example\tann@xn--mller-kva.example`,
    `rewritten\tcontact\t${id}\tbob@mäx.example\tbob@xn--mx-via.example`,
    `refused\tcontact\t${id}\tcyd@1.2.3\t`,
  ]);
  expect(await prisma.contact.count({ where: { projectId: id, email: { in: emails } } })).toBe(5);
});

it('setup-link prints the link of the first account while it is needed', async () => {
  const closed = await createTestServices({ env: { SIGNUPS_DISABLED: 'true' } });
  const lines: string[] = [];
  const run = () =>
    runAdmin(['setup-link'], {
      env: () => closed.services.config,
      environment: () => ({}),
      out: (line) => lines.push(line),
      err: () => undefined,
    });
  expect(await run()).toBe(0);
  expect(lines).toEqual([expect.stringMatching(/\/auth\/signup\?setup=[\w-]{32}$/)]);
  await createTestUser(closed.services);
  expect(await run()).toBe(1);
  expect(lines).toHaveLength(1);
  await closed.close();
});

describe('owners', () => {
  it('lists those with the highest figure first, and leaves out those with none', async () => {
    const { prisma, durable } = test.services.database;
    const [slow, slower, quiet] = await Promise.all([1, 2, 3].map(() => createTestProject(test.services)));
    if (!slow || !slower || !quiet) throw new Error('three projects are needed');
    const day = new Date();
    const old = new Date(day.getTime() - 8 * 86_400_000);
    const of = (userId: string, slowMinutes: number, at = day) => ({
      userId,
      day: at,
      slowMinutes,
      taskLimits: 2,
    });
    await prisma.ownerDay.createMany({
      data: [of(slow.ownerId, 3), of(slow.ownerId, 50, old), of(slower.ownerId, 4), of(quiet.ownerId, 0)],
    });
    await durable.query(`INSERT INTO "StorageUsage" VALUES ($1, 'images', 2500000)`, [slow.id]);
    const until = new Date(day.getTime() + 60_000);
    await prisma.plainSpan.create({ data: { userId: slower.ownerId, since: day, until } });
    const { code, out } = await admin('owners', '--by', 'slow');
    expect(code).toBe(0);
    const [head, ...rows] = out.split('\n').map((line) => line.split('\t'));
    expect(head?.slice(3)).toEqual([
      'projects',
      'storage',
      'streams',
      'slow',
      'limits',
      'reports',
      'plain until',
    ]);
    expect(rows.map(([id]) => id)).toEqual([slower.ownerId, slow.ownerId]);
    expect(rows.map((cells) => cells.slice(3))).toEqual([
      ['1', '0.0', '0', '4', '2', '0', until.toISOString()],
      ['1', '2.5', '0', '3', '2', '0', ''],
    ]);
    expect((await admin('owners')).out).toContain(`${slow.ownerId}\t`);
    expect(await admin('owners', '--by', 'beauty')).toMatchObject({ code: 2, out: '' });
  });
});

describe('notes', () => {
  it('are those at the name of the mail server, each on one line', async () => {
    const note = {
      to: 'abuse',
      from: 'reader@people.example',
      subject: 'Spam',
      text: 'Please\r\n\tstop',
      fingerprint: 'a',
    } as const;
    await keepNote(test.services, [null], note);
    expect((await admin('notes')).out).toMatch(/\n\S+Z\tabuse\treader@people\.example\tSpam\tPlease stop$/);
  });
});
