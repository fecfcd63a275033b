import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { sendEmail } from './send-email.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});
afterAll(() => test.close());

const from = 'team@shop.test';

async function storedName(body: object): Promise<string | null> {
  const { emails } = await sendEmail.runRaw(project.ctx, {
    to: 'a@people.test',
    subject: 'S',
    body: 'B',
    ...body,
  });
  const { prisma } = test.services.database;
  const { contentId } = await prisma.email.findUniqueOrThrow({ where: { id: emails[0]?.email ?? '' } });
  return (await prisma.content.findUniqueOrThrow({ where: { id: contentId } })).fromName;
}

it.each([
  ['de_DE.UTF-8', 'de-DE'],
  ['sr_RS@latin', 'sr-Latn-RS'],
  ['C', 'C'],
  [1031, 1031],
])('no send fails by the locale %j, whose contact gets %j', async (locale, stored) => {
  const to = `${String(locale).replace('@', '-').toLowerCase()}@people.test`;
  await sendEmail.runRaw(project.ctx, { to, from, subject: 'S', body: 'B', data: { locale } });
  const contact = await test.services.database.prisma.contact.findFirstOrThrow({ where: { email: to } });
  expect(contact.data).toEqual({ locale: stored });
});

describe('the name of the sender', () => {
  it.each([
    ['of from', { from: { email: from, name: 'Ann' }, name: 'Old' }, 'Ann'],
    ['the deprecated one beside a plain address', { from, name: ' Old ' }, 'Old'],
    ['none, when the deprecated one stands beside an object', { from: { email: from }, name: 'Old' }, null],
    ['none', { from }, null],
  ])('is %s', async (_what, body, name) => {
    expect(await storedName(body)).toBe(name);
  });

  it('is that of the template unless the request names one', async () => {
    const template = await createTemplate.run(project.ctx, {
      name: 'T',
      subject: 'S',
      body: 'B',
      from,
      fromName: 'Template',
      type: 'TRANSACTIONAL',
    });
    const named = (more: object) => storedName({ template: template.id, ...more });
    expect(await named({})).toBe('Template');
    expect(await named({ from })).toBe('Template');
    expect(await named({ from: { email: from } })).toBe('Template');
    expect(await named({ from, name: 'Old' })).toBe('Old');
    expect(await named({ from: { email: from, name: 'Ann' } })).toBe('Ann');
  });
});

describe('the content of a send', () => {
  const send = (body: object) =>
    sendEmail.runRaw(project.ctx, { to: 'a@people.test', from, subject: 'S', ...body });
  const contentsOf = (body: string) =>
    test.services.database.prisma.content.count({ where: { projectId: project.id, body } });

  it('is stored once for equal sends, and again when it was removed in between', async () => {
    const body = '<p>Stored once</p>';
    for (let sends = 0; sends < 3; sends += 1) await send({ body });
    expect(await contentsOf(body)).toBe(1);
    await test.services.database.prisma.content.deleteMany({ where: { projectId: project.id, body } });
    await Promise.all([send({ body }), send({ body })]);
    expect(await contentsOf(body)).toBe(1);
  });

  it('is checked again when it differs from the one before, whatever it differs in', async () => {
    const body = '<p>Hello</p>';
    await send({ body });
    const refused = { code: 'VALIDATION_ERROR' };
    await expect(send({ body, subject: 'S {{' })).rejects.toMatchObject(refused);
    await expect(send({ body, preheader: 'P {{' })).rejects.toMatchObject(refused);
    await expect(send({ body: `${body}{{` })).rejects.toMatchObject(refused);
  });
});

it('many waiting sends of one project do not delay a send of another', async () => {
  const other = await createTestProject(test.services);
  await verifiedDomain(test.services, other.id, 'shop.test');
  const sendOfOther = () =>
    sendEmail.runRaw(other.ctx, { to: 'a@people.test', from, subject: 'S', body: 'B' });
  // What is checked only at a project's first send is no part of the queue that this is about.
  await sendOfOther();
  await sendEmail.runRaw(project.ctx, { to: 'a@people.test', from, subject: 'S', body: 'B' });
  let answered = 0;
  const flood = Array.from({ length: 1_500 }, (_, n) =>
    sendEmail.runRaw(project.ctx, { to: `flood${n}@people.test`, from, subject: 'S', body: 'B' }).then(() => {
      answered += 1;
    }),
  );
  await sendOfOther();
  const before = answered;
  await Promise.all(flood);
  expect(answered).toBe(1_500);
  expect(before).toBeLessThanOrEqual(500);
});
