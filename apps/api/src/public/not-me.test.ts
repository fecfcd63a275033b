import { encodeAccountLink } from '@postrider/core/mail/message';
import { MAIL_LANGUAGES } from '@postrider/core/mail/sending';
import { createTestProject, type TestProject } from '@postrider/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../test/harness.ts';
import { changedByOne } from './public.fixture.ts';
import { texts } from './texts/index.ts';

let test: TestApp;
let projects: TestProject[];
let userId: string;
let email: string;
let path: string;

const prisma = () => test.services.database.prisma;

beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  projects = [await createTestProject(test.services), await createTestProject(test.services)];
  userId = projects[0]?.ownerId ?? '';
  await prisma().member.updateMany({
    where: { projectId: { in: projects.map(({ id }) => id) } },
    data: { userId },
  });
  email = (await prisma().user.update({ where: { id: userId }, data: { emailVerified: false } })).email;
  path = `/u/not-me/${encodeAccountLink(test.services.secrets, userId)}`;
});

const disownedAt = async () => (await prisma().user.findUniqueOrThrow({ where: { id: userId } })).disownedAt;
const states = async () =>
  (await prisma().project.findMany({ where: { id: { in: projects.map(({ id }) => id) } } })).map(
    ({ disabledReason }) => disabledReason,
  );

describe('the link for the owner of an address that somebody else signed up with (B11.4)', () => {
  it('changes nothing by GET or HEAD: scanners follow links', async () => {
    const page = await test.anyone('GET', path);
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(page.text).toContain(email);
    expect(page.text).toContain(`<form method="post" action="${path}">`);
    expect((await test.anyone('HEAD', path)).status).toBe(200);
    expect(await disownedAt()).toBeNull();
    expect(await states()).toEqual([null, null]);
  });

  it('takes the address and disables all projects of the account by POST, once', async () => {
    const done = await test.anyone('POST', path);
    expect(done.status).toBe(200);
    expect(done.text).toContain('role="status"');
    expect(await disownedAt()).toBeInstanceOf(Date);
    expect(await states()).toEqual(['MANUAL', 'MANUAL']);

    await prisma().project.updateMany({
      where: { id: { in: projects.map(({ id }) => id) } },
      data: { disabled: false, disabledReason: null },
    });
    const first = await disownedAt();
    expect((await test.anyone('POST', path)).text).toContain('role="status"');
    expect(await states()).toEqual([null, null]);
    expect(await disownedAt()).toEqual(first);
  });

  it('acts once when it is used many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => test.anyone('POST', path)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const audit = { operation: 'tracking.disownAccount', targetId: userId };
    expect(await prisma().auditLog.count({ where: audit })).toBe(1);
  });

  it('is dead for a proven address, an unknown account and a changed token', async () => {
    await prisma().user.update({ where: { id: userId }, data: { emailVerified: true } });
    for (const dead of [path, changedByOne(path), '/u/not-me/x']) {
      expect((await test.anyone('GET', dead)).status).toBe(404);
      expect((await test.anyone('POST', dead)).status).toBe(404);
    }
    expect(await states()).toEqual([null, null]);
    expect(await disownedAt()).toBeNull();
  });

  it.each(MAIL_LANGUAGES)('speaks the language of the account: %s', async (language) => {
    await prisma().user.update({ where: { id: userId }, data: { language } });
    const { text } = await test.anyone('GET', path);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(texts[language].notMe.button);
  });
});
