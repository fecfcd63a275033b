import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateContact } from '../../audience/contacts/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { listEmails } from './list-emails.ts';
import { sendEmail } from './send-email.ts';

let test: TestServices;
let project: TestProject;
let templateId: string;

const from = 'team@shop.test';

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
  const template = { name: 'T', subject: 'Summer sale', body: 'B', from, type: 'TRANSACTIONAL' } as const;
  templateId = (await createTemplate.run(project.ctx, template)).id;
  const send = (mail: object) => sendEmail.runRaw(project.ctx, { from, body: 'B', ...mail });
  await send({ to: 'ann@people.test', subject: 'Your Invoice_7' });
  await send({ to: 'ben_1@people.test', subject: '100 % yours' });
  await sendEmail.runRaw(project.ctx, { to: 'benX1@people.test', template: templateId });
});
afterAll(() => test.close());

const found = async (query: object) =>
  (await listEmails.runRaw(project.ctx, query)).data.map(({ to }) => to).sort();

describe('emails by address or subject (B11.5)', () => {
  it.each([
    ['INVOICE', ['ann@people.test']],
    ['summer', ['benx1@people.test']],
    ['ANN@', ['ann@people.test']],
    ['ben_', ['ben_1@people.test']],
    ['0 %', ['ben_1@people.test']],
    ['nothing like it', []],
  ])('%s', async (search, expected) => {
    expect(await found({ search })).toEqual(expected);
  });

  it('are found by the address that they were sent to, also when it is not that of their contact any more', async () => {
    const { prisma } = test.services.database;
    const owner = await createTestProject(test.services);
    const mail = async (to: string, sourceType: 'CAMPAIGN' | 'WORKFLOW', contact: string | null) => {
      const [contactId, contentId] = [newId(), newId()];
      if (contact !== null)
        await prisma.contact.create({ data: { id: contactId, projectId: owner.id, email: contact } });
      await prisma.content.create({
        data: {
          id: contentId,
          projectId: owner.id,
          hash: Uint8Array.from(Buffer.from(contentId)),
          type: 'MARKETING',
          sourceType,
          subject: 'News for {{name}}',
          body: '',
          from,
          projectName: 'Test',
        },
      });
      await prisma.email.create({
        data: {
          id: newId(),
          projectId: owner.id,
          to,
          type: 'MARKETING',
          sourceType,
          contentId,
          subject: `News for ${to}!`,
          contactId: contact === null ? null : contactId,
        },
      });
      return contactId;
    };
    await mail('gone@old.test', 'CAMPAIGN', null);
    await mail('custom@old.test', 'WORKFLOW', 'someone@else.test');
    const moved = await mail('moved@old.test', 'CAMPAIGN', 'moved@old.test');
    await mail('other@new.test', 'CAMPAIGN', 'other@new.test');
    await updateContact.run(owner.ctx, { id: moved, email: 'moved@new.test' });
    const search = async (text: string) => {
      const { data, total } = await listEmails.run(owner.ctx, { search: text });
      return [data.map(({ to }) => to).sort(), total];
    };
    const old = ['custom@old.test', 'gone@old.test', 'moved@old.test'];
    expect(await search('@old.test')).toEqual([old, 3]);
    expect(await search('FOR custom@old.test!')).toEqual([['custom@old.test'], 1]);
    expect(await search('moved@new')).toEqual([[], 0]);
    expect(await search('other@new')).toEqual([['other@new.test'], 1]);
  });

  it('are read page by page, newest first, each once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: { to: string }[]; cursor: string | null } = await listEmails.runRaw(project.ctx, {
        search: 'people.test',
        limit: 1,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page.data.map(({ to }) => to));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['benx1@people.test', 'ben_1@people.test', 'ann@people.test']);
  });

  it('are counted', async () => {
    const { total } = await listEmails.runRaw(project.ctx, { search: 'people.test', limit: 1 });
    expect(total).toBe(3);
  });

  it('are found by a text that thousands of contacts contain, whether many or few emails do', async () => {
    const owner = await createTestProject(test.services);
    await verifiedDomain(test.services, owner.id, 'news.test');
    const send = (to: string) =>
      sendEmail.runRaw(owner.ctx, { from: 'team@news.test', to, subject: 'News', body: 'B' });
    await send('reader1@frequent.test');
    await send('other@rare.test');
    await send('reader2@frequent.test');
    await test.services.database.prisma.$executeRaw`
      INSERT INTO "Contact" ("id", "projectId", "email")
      SELECT gen_random_uuid(), ${owner.id}::uuid, 'reader' || n || '@frequent.test' FROM generate_series(3, 2500) n`;
    const page = (query: object) => listEmails.runRaw(owner.ctx, { search: '@frequent.test', ...query });
    expect(await page({})).toMatchObject({
      data: [{ to: 'reader2@frequent.test' }, { to: 'reader1@frequent.test' }],
      total: 2,
      hasMore: false,
    });
    const { data, total, cursor } = await page({ limit: 1 });
    expect([data.map(({ to }) => to), total]).toEqual([['reader2@frequent.test'], 2]);
    expect((await page({ limit: 1, cursor })).data).toMatchObject([{ to: 'reader1@frequent.test' }]);
  });

  it('by template too', async () => {
    expect(await found({ templateId })).toEqual(['benx1@people.test']);
    expect(await found({ templateId, search: 'ann' })).toEqual([]);
  });

  it('are never those of another project', async () => {
    const other = await createTestProject(test.services);
    expect((await listEmails.runRaw(other.ctx, { search: 'people.test' })).data).toEqual([]);
  });
});
