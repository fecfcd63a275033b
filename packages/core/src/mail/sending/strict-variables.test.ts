import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upsertContact } from '../../audience/contacts/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { previewEmail } from './preview-email.ts';
import { sendEmail } from './send-email.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const message = { from: 'team@shop.test', subject: 'For {{name}}', body: '<p>{{data.city}} {{order}}</p>' };
const send = (body: object, of = project) =>
  sendEmail.runRaw(of.ctx, { ...message, strictVariables: true, ...body });
const countsOf = async (projectId: string) => [
  await prisma().email.count({ where: { projectId } }),
  await prisma().contact.count({ where: { projectId } }),
  await prisma().event.count({ where: { projectId } }),
  await prisma().idempotencyKey.count({ where: { projectId } }),
];

describe('strict variables', () => {
  it('refuse a request whose recipients would see gaps, naming each; nothing is stored', async () => {
    await upsertContact.runRaw(project.ctx, {
      email: 'ann@people.test',
      data: { name: 'Ann', city: 'Rome' },
    });
    const before = await countsOf(project.id);
    await expect(
      send({
        to: ['ann@people.test', { email: 'new@people.test', name: 'Neo' }],
        data: { order: { value: 7, persistent: false } },
      }),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'data.city', code: 'required', message: expect.stringContaining('new@people.test') }],
    });
    expect(await countsOf(project.id)).toEqual(before);
  });

  it('accept what has a value in the data of the request and of the contact', async () => {
    const { emails } = await send({
      to: 'ann@people.test',
      data: { order: { value: 7, persistent: false } },
    });
    expect(emails).toMatchObject([{ to: 'ann@people.test', status: 'PENDING' }]);
    const { subject, html } = await previewEmail.run(project.ctx, { id: emails[0]?.email ?? '' });
    expect([subject, html]).toEqual(['For Ann', expect.stringContaining('Rome 7')]);
  });

  it('are about preheader and text too, and not about literal texts', async () => {
    const to = 'ann@people.test';
    await expect(
      send({ to, subject: 'S', preheader: '{{a}}', body: 'B', text: '{{b}} {{ c ?? d }}' }),
    ).rejects.toMatchObject({ errors: [{ field: 'data.a' }, { field: 'data.b' }] });
    await send({ to, subject: '{{a}}', body: '{{b}}', literal: true });
    const template = await createTemplate.runRaw(project.ctx, {
      ...{ name: 'T', from: 'team@shop.test', type: 'TRANSACTIONAL', subject: 'S' },
      body: '{% if never %}{{no}}{% endif %}{{unsubscribeUrl}} {{e.f}}',
    });
    await expect(
      sendEmail.runRaw(project.ctx, { to, template: template.id, strictVariables: true }),
    ).rejects.toMatchObject({ errors: [{ field: 'data.e.f' }] });
  });

  it('name at most 20 gaps', async () => {
    const to = Array.from({ length: 30 }, (_, n) => `p${n}@people.test`);
    await expect(send({ to })).rejects.toMatchObject({ errors: { length: 20 } });
  });

  it('judge the data that is stored, whoever writes it at the same time', async () => {
    const own = await createTestProject(test.services);
    await verifiedDomain(test.services, own.id, 'shop.test');
    const data = { name: 'Ann', order: 1 };
    await upsertContact.runRaw(own.ctx, { email: 'ann@people.test', data: { ...data, city: 'Rome' } });
    const clear = () => upsertContact.runRaw(own.ctx, { email: 'ann@people.test', data: { city: null } });
    const fill = () => upsertContact.runRaw(own.ctx, { email: 'ann@people.test', data: { city: 'Rome' } });
    await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        n % 3 === 0 ? clear() : n % 3 === 1 ? fill() : send({ to: 'ann@people.test' }, own),
      ),
    );
    await fill();
    await send({ to: 'ann@people.test' }, own);
    const emails = await prisma().email.findMany({ where: { projectId: own.id } });
    expect(emails.map(({ vars }) => (vars as { city?: string }).city)).toEqual(emails.map(() => 'Rome'));
  });

  it('give up with 409 and store nothing when the data never stays the same', async () => {
    const own = await createTestProject(test.services);
    await verifiedDomain(test.services, own.id, 'shop.test');
    const data = { name: 'Ann', city: 'Rome', order: 1 };
    await upsertContact.runRaw(own.ctx, { email: 'ann@people.test', data });
    const before = await countsOf(own.id);
    await prisma().$executeRawUnsafe(`
      CREATE FUNCTION other_each_time() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW."vars" := NEW."vars" || jsonb_build_object('n', random()); RETURN NEW; END $$`);
    await prisma().$executeRawUnsafe(
      `CREATE TRIGGER other_each_time BEFORE INSERT ON "Email" FOR EACH ROW EXECUTE FUNCTION other_each_time()`,
    );
    try {
      await expect(send({ to: 'ann@people.test' }, own)).rejects.toMatchObject({ code: 'CONFLICT' });
    } finally {
      await prisma().$executeRawUnsafe('DROP FUNCTION other_each_time() CASCADE');
    }
    expect(await countsOf(own.id)).toEqual(before);
  });
});
