import { type Sink, startSink } from '@postrider/local/sink';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Context, createSecrets, type Services } from '../../base/kernel/index.ts';
import type { PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';
import { newId } from '../../base/lib/index.ts';
import { rotateSecrets } from '../../people/installation/rotate-secrets.ts';
import { inviteMember } from '../../people/members/index.ts';
import { systemProjectId } from '../../people/projects/index.ts';
import { requestPasswordReset, requestVerification, signup } from '../../people/users/index.ts';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { pendingMailSent, platformMailTo } from '../../testing/mail.ts';
import { drained, withDelivery } from '../delivery/delivery.fixture.ts';
import { sweepPlatformBodies, sweepPlatformMail } from '../sending/retention.ts';

let sink: Sink;
let test: TestServices;
let services: Services;
let project: TestProject;
beforeAll(async () => {
  sink = await startSink({ keepRaw: true });
  test = await createTestServices({ env: { SMTP_URL: sink.url, VERIFY_SIGNUP_EMAIL: 'true' } });
  services = test.services;
  project = await createTestProject(services);
});
afterAll(async () => {
  await test.close();
  await sink.stop();
});

const prisma = () => services.database.prisma;
const fresh = () => `${newId()}@people.test`;
const anonymous = (): Context => ({
  services,
  actor: { type: 'anonymous' },
  project: null,
  request: { id: newId(), ip: null },
  db: prisma(),
});
const deliver = () => withDelivery(services, sink.url, () => drained(services, systemProjectId));
const received = async (address: string) =>
  Promise.all(
    sink
      .messages()
      .filter(({ to }) => to.includes(address))
      .map(({ raw }) => PostalMime.parse(raw ?? '')),
  );

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { durable } = services.database;
  const { rows } = await durable.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS "name" FROM pg_tables WHERE schemaname = current_schema()`,
  );
  const tables = await Promise.all(
    rows.map(async ({ name }) => {
      const all = await durable.query<{ row: string }>(`SELECT t::text AS "row" FROM ${name} t`);
      return all.rows.map(({ row }) => row).join('\n');
    }),
  );
  return tables.join('\n');
}

/** Every form in which the bytes of a token could be stored. */
const formsOf = (token: string): string[] =>
  (['hex', 'base64', 'base64url'] as const).map((form) =>
    Buffer.from(token, 'hex').toString(form).replace(/=+$/, ''),
  );

describe('the links of the platform', () => {
  it('no dump of the database holds a token that works, before and after sending', async () => {
    const [member, guest] = [fresh(), fresh()];
    await signup.run(anonymous(), { email: member, password: 'correct horse' });
    await requestVerification.run(anonymous(), { email: member });
    await pendingMailSent(services);
    await requestPasswordReset.run(anonymous(), { email: member });
    await pendingMailSent(services);
    await inviteMember.run(await project.userCtx('OWNER'), { id: project.id, email: guest });
    const mails = [...(await platformMailTo(services, member)), ...(await platformMailTo(services, guest))];
    const tokens = mails.flatMap(({ token }) => token ?? []);
    expect(tokens).toHaveLength(4);

    const before = await dump();
    await deliver();
    const after = await dump();

    for (const text of [before, after]) {
      expect(text).toContain(guest);
      expect(
        tokens.flatMap(formsOf).filter((form) => text.toLowerCase().includes(form.toLowerCase())),
      ).toEqual([]);
      expect(text).not.toContain('/auth/');
    }
    const links = [...(await received(member)), ...(await received(guest))].map(
      ({ html }) => /=([0-9a-f]{64})"/.exec(html ?? '')?.[1],
    );
    expect(links.sort()).toEqual(tokens.sort());
  });

  it('a sealed body is encrypted again by a rotation, and opens nowhere but in its row', async () => {
    const email = fresh();
    await signup.run(anonymous(), { email, password: 'correct horse' });
    const { contentId } = await prisma().email.findFirstOrThrow({ where: { to: email } });
    const { sealedBody: cipher, body } = await prisma().content.findUniqueOrThrow({
      where: { id: contentId },
    });
    expect([body, cipher]).toEqual([null, expect.any(String)]);
    expect(() => services.secrets.decrypt(cipher ?? '', 'Content.sealedBody', newId())).toThrow();

    const secrets = createSecrets('another-secret-0123456789abcdefghij', [services.config.APP_SECRET]);
    await rotateSecrets({ ...services, secrets });
    const rotated = { ...services, secrets: createSecrets('another-secret-0123456789abcdefghij') };
    const [mail] = await platformMailTo(rotated, email);
    expect(mail?.token).toMatch(/^[0-9a-f]{64}$/);
    // Back, for the tests that follow.
    await rotateSecrets({
      ...services,
      secrets: createSecrets(services.config.APP_SECRET, ['another-secret-0123456789abcdefghij']),
    });
  });

  it('the body goes a day after the email was settled, and its rows after 30 days', async () => {
    const [sent, waiting] = [fresh(), fresh()];
    await requestReset(sent);
    await deliver();
    await requestReset(waiting);
    const bodyOf = async (email: string) =>
      (await platformMailTo(services, email)).map(({ body }) => body !== '');
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

    await sweepPlatformBodies(services, inHours(23), 1_000);
    expect([await bodyOf(sent), await bodyOf(waiting)]).toEqual([[true], [true]]);
    await sweepPlatformBodies(services, inHours(25), 1_000);
    expect([await bodyOf(sent), await bodyOf(waiting)]).toEqual([[false], [true]]);

    await sweepPlatformMail(services, inHours(29 * 24), 1_000);
    expect(await bodyOf(sent)).toHaveLength(1);
    const contents = { where: { projectId: systemProjectId } };
    await sweepPlatformMail(services, inHours(31 * 24), 1_000);
    expect([await bodyOf(sent), await bodyOf(waiting)]).toEqual([[], [true]]);
    expect(await prisma().content.count(contents)).toBe(await prisma().email.count(contents));
    await deliver();
    expect(await received(waiting)).toHaveLength(1);
  });
});

async function requestReset(email: string): Promise<void> {
  await createTestUser(services, email);
  await requestPasswordReset.run(anonymous(), { email });
  await pendingMailSent(services);
}

it('names, addresses and reasons arrive as written, in a mail that was delivered', async () => {
  const email = fresh();
  await createTestUser(services, email);
  const name = '{%endraw%}{{"<h1>Pay</h1>"|raw}}{% raw %} <!-- & {{ email }}';
  await write({
    to: { email, language: 'en' },
    mail: 'projectEnabled',
    values: { project: name },
    url: 'https://a.test/?x={{y}}',
  });
  await deliver();
  const [mail] = await received(email);
  expect(mail?.subject).toBe(`${name} is enabled again`);
  expect(mail?.text).toContain(name);
  expect(mail?.text).toContain('https://a.test/?x={{y}}');
  expect(mail?.html).toContain('&lt;h1&gt;Pay&lt;/h1&gt;');
  expect(mail?.html).not.toContain('<h1>Pay');
});

it('says that a program wrote it, so that none answers', async () => {
  const email = fresh();
  await requestReset(email);
  await deliver();
  const [mail] = await received(email);
  expect(mail?.headers).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
      expect.objectContaining({ key: 'x-auto-response-suppress', value: 'DR, RN, NRN, OOF, AutoReply' }),
    ]),
  );
  expect(mail?.headers.map(({ key }) => key)).not.toContain('precedence');
});

const write = (mail: PlatformMail) => prisma().$transaction((db) => services.platformMail.write(db, mail));
const notice = (email: string): PlatformMail => ({
  to: { email, language: 'en' },
  mail: 'domainVerified',
  values: { domain: 'shop.test' },
  url: 'https://a.test',
});

describe('limits of an address', () => {
  it('20 notices a day; what the person asks for still comes', async () => {
    const email = fresh();
    await createTestUser(services, email);
    for (let count = 0; count < 22; count += 1) await write(notice(email));
    expect(await platformMailTo(services, email)).toHaveLength(20);
    await requestPasswordReset.run(anonymous(), { email });
    await pendingMailSent(services);
    expect((await platformMailTo(services, email)).at(-1)?.subject).toBe('Reset your password');
    await prisma().authAttempt.updateMany({ data: { windowStart: new Date(Date.now() - 86_400_000) } });
    await write(notice(email));
    expect(await platformMailTo(services, email)).toHaveLength(22);
  });

  it('a disowned address gets nothing for 90 days but a reset that the person asks for', async () => {
    const email = fresh();
    const { id } = await signup.run(anonymous(), { email, password: 'correct horse' });
    const disownedAt = (days: number) =>
      prisma().user.update({ where: { id }, data: { disownedAt: new Date(Date.now() - days * 86_400_000) } });
    await disownedAt(89);
    await inviteMember.run(await project.userCtx('OWNER'), { id: project.id, email });
    await requestVerification.run(anonymous(), { email });
    await pendingMailSent(services);
    expect(await platformMailTo(services, email)).toHaveLength(1);
    await requestPasswordReset.run(anonymous(), { email });
    await pendingMailSent(services);
    expect((await platformMailTo(services, email)).at(-1)?.subject).toBe('Reset your password');
    await disownedAt(91);
    await requestVerification.run(anonymous(), { email });
    await pendingMailSent(services);
    expect((await platformMailTo(services, email)).at(-1)?.subject).toBe('Verify your email address');
  });

  it('an address that nobody has proven gets no notices', async () => {
    const [unknown, unproven] = [fresh(), fresh()];
    await prisma().user.create({ data: { id: newId(), email: unproven } });
    for (const email of [unknown, unproven]) {
      await write(notice(email));
      expect(await platformMailTo(services, email)).toEqual([]);
    }
  });
});
