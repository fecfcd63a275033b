import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCampaign } from '../../automation/campaigns/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate, updateTemplate } from '../../content/templates/index.ts';
import { cancelEmail, getEmail, sendEmail } from '../../mail/sending/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { createSegment } from '../segments/index.ts';
import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from './index.ts';
import { mostTopics } from './topics.rules.ts';

let test: TestServices;
let project: TestProject;
const from = 'team@shop.test';

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
const add = (input: object = {}) =>
  createTopic.runRaw(project.ctx, { key: 'news', name: { en: 'News' }, default: 'IN', ...input });
const keys = async (input: object = {}) =>
  (await listTopics.runRaw(project.ctx, input)).map(({ key }) => key);

describe('topics of a project', () => {
  it('begin with general, which every project has in all languages', async () => {
    const [general, ...others] = await listTopics.run(project.ctx, {});
    expect(others).toEqual([]);
    expect(general).toMatchObject({ key: 'general', default: 'IN', visibility: 'PUBLIC', archived: false });
    expect(Object.keys(general?.name ?? {})).toHaveLength(11);
    expect(general?.name.de).toBe('Neuigkeiten und Angebote');
  });

  it('are listed by position, of equal ones the older first', async () => {
    await add();
    await add({ key: 'labs', position: 0 });
    await add({ key: 'first', position: 0 });
    expect(await keys()).toEqual(['general', 'labs', 'first', 'news']);
  });

  it('keep only the languages that are given', async () => {
    const { id, name, description } = await add({
      name: { en: ' News ', de: null },
      description: { fr: 'Tout' },
    });
    expect([name, description]).toEqual([{ en: 'News' }, { fr: 'Tout' }]);
    const changed = await updateTopic.runRaw(project.ctx, { id, name: { nl: 'Nieuws' }, description: null });
    expect([changed.name, changed.description]).toEqual([{ nl: 'Nieuws' }, null]);
    expect(await getTopic.run(project.ctx, { id })).toEqual(changed);
  });

  it.each([
    [{ key: 'News' }, 'key', 'invalid_string'],
    [{ key: '-a' }, 'key', 'invalid_string'],
    [{ key: 'a'.repeat(51) }, 'key', 'invalid_string'],
    [{ name: {} }, 'name', 'required'],
    [{ name: { en: ' ' } }, 'name.en', 'required'],
    [{ name: { en: 'x'.repeat(61) } }, 'name.en', 'too_big'],
    [{ name: { en: 'News', sv: 'Nyheter' } }, 'name.sv', 'unsupported_field'],
    [{ description: { en: 'x'.repeat(201) } }, 'description.en', 'too_big'],
    [{ default: undefined }, 'default', 'required'],
    [{ default: 'YES' }, 'default', 'invalid_enum_value'],
  ])('refuse %j', async (input, field, code) => {
    await expect(add(input)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field, code }] });
  });

  it('have different keys, and are at most fifty', async () => {
    await add();
    await expect(add()).rejects.toMatchObject({ code: 'CONFLICT' });
    for (let n = 2; n < mostTopics; n += 1) await add({ key: `t${n}` });
    await expect(add({ key: 'one-more' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await keys()).toHaveLength(mostTopics);
  });

  it('never become one that contacts receive without choosing it', async () => {
    const { id } = await add({ default: 'OUT' });
    await expect(updateTopic.run(project.ctx, { id, default: 'IN' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const other = await add({ key: 'other' });
    expect(await updateTopic.run(project.ctx, { id: other.id, default: 'OUT' })).toMatchObject({
      default: 'OUT',
    });
  });

  it('let nobody change what general is', async () => {
    const [general] = await listTopics.run(project.ctx, {});
    const id = general?.id ?? '';
    for (const change of [{ default: 'OUT' }, { visibility: 'PRIVATE' }, { archived: true }])
      await expect(updateTopic.runRaw(project.ctx, { id, ...change })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    await expect(deleteTopic.run(project.ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(
      await updateTopic.run(project.ctx, { id, name: { en: 'Letters' }, position: 7, default: 'IN' }),
    ).toMatchObject({ name: { en: 'Letters' }, position: 7 });
  });

  it('of another project are unknown', async () => {
    const { id } = await add();
    const { ctx, id: other } = await createTestProject(test.services);
    for (const run of [
      () => getTopic.run(ctx, { id }),
      () => updateTopic.run(ctx, { id, position: 1 }),
      () => deleteTopic.run(ctx, { id }),
      () => getTopic.run(ctx, { id: newId() }),
    ])
      await expect(run()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    await verifiedDomain(test.services, other, 'other.test');
    const mail = { name: 'T', subject: 'S', body: 'B', from: 'team@other.test' };
    await expect(createTemplate.run(ctx, { ...mail, topic: 'news' })).rejects.toMatchObject({
      errors: [{ field: 'topic', code: 'unknown_topic' }],
    });
  });
});

describe('a deleted topic', () => {
  it('gives its key back, and never its number, which contacts may have chosen', async () => {
    const { id } = await add({ default: 'OUT' });
    const { number } = await prisma().topic.findUniqueOrThrow({ where: { id } });
    await prisma().$executeRaw`
      INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "topicsOn", "consentSeq")
      VALUES (${newId()}::uuid, ${project.id}::uuid, 'ann@people.test', true, ARRAY[${number}]::smallint[], nextval('"ConsentSeq"'))`;
    expect(await getTopic.run(project.ctx, { id })).toMatchObject({ subscriberCount: 1 });
    await deleteTopic.run(project.ctx, { id });
    const next = await add({ default: 'OUT' });
    expect(next.subscriberCount).toBe(0);
    expect((await prisma().topic.findUniqueOrThrow({ where: { id: next.id } })).number).toBe(number + 1);
    expect(await keys()).toEqual(['general', 'news']);
  });

  it('is still the topic of what was sent under it', async () => {
    const { id } = await add();
    const sent = await sendEmail.runRaw(project.ctx, {
      ...{ to: 'ann@people.test', from, subject: 'S', body: 'B', topic: 'news' },
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const email = sent.emails[0]?.email ?? '';
    await cancelEmail.run(project.ctx, { id: email });
    await deleteTopic.run(project.ctx, { id });
    expect(await getEmail.run(project.ctx, { id: email })).toMatchObject({ topic: 'news' });
  });
});

describe('a topic in use', () => {
  const mail = { subject: 'S', body: 'B', from };
  const segmentBy = (field: string) => ({
    name: 'S',
    condition: { logic: 'AND', groups: [{ filters: [{ field, operator: 'equals', value: true }] }] },
  });
  const users = {
    template: {
      use: () => createTemplate.run(project.ctx, { ...mail, name: 'Letter', topic: 'news' }),
      usedBy: { templates: [{ name: 'Letter' }] },
    },
    'draft of a campaign': {
      use: () =>
        createCampaign.runRaw(project.ctx, { ...mail, name: 'Spring', audienceType: 'ALL', topic: 'news' }),
      usedBy: { campaigns: [{ name: 'Spring' }] },
    },
    filter: {
      use: () => createSegment.runRaw(project.ctx, segmentBy('topic.news')),
      usedBy: { segments: [{ name: 'S' }] },
    },
    'condition on emails': {
      use: () =>
        createSegment.runRaw(project.ctx, {
          name: 'Openers',
          condition: {
            logic: 'AND',
            groups: [
              {
                filters: [
                  {
                    field: 'email.opened',
                    operator: 'occurred',
                    where: [{ property: 'topic', operator: 'equals', value: 'news' }],
                  },
                ],
              },
            ],
          },
        }),
      usedBy: { segments: [{ name: 'Openers' }] },
    },
    'waiting email': {
      use: () =>
        sendEmail.runRaw(project.ctx, {
          ...{ ...mail, to: 'ann@people.test', topic: 'news' },
          scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
        }),
      usedBy: { emails: [{ name: 'ann@people.test' }] },
    },
    form: {
      use: async () => {
        const { number } = await prisma().topic.findFirstOrThrow({
          where: { projectId: project.id, key: 'news' },
        });
        await prisma().form.create({
          data: {
            ...{ id: newId(), projectId: project.id, name: 'Footer', enabled: true, topics: [number] },
            ...{ title: { en: 'T' }, consentText: { en: 'C' } },
          },
        });
      },
      usedBy: { forms: [{ name: 'Footer' }] },
    },
  };

  it.each(Object.entries(users))('by a %s is neither deleted nor archived', async (_, { use, usedBy }) => {
    const { id } = await add();
    await use();
    for (const run of [
      () => deleteTopic.run(project.ctx, { id }),
      () => updateTopic.run(project.ctx, { id, archived: true }),
    ])
      await expect(run()).rejects.toMatchObject({ code: 'CONFLICT', details: { usedBy } });
  });

  it('is free again once the template names another one', async () => {
    const { id } = await add();
    const template = await createTemplate.run(project.ctx, { ...mail, name: 'T', topic: 'news' });
    expect(template).toMatchObject({ topic: 'news' });
    expect(await updateTemplate.run(project.ctx, { id: template.id, topic: null })).toMatchObject({
      topic: null,
    });
    await deleteTopic.run(project.ctx, { id });
  });

  it('cannot be named once it is archived, and can again later', async () => {
    const { id } = await add();
    await updateTopic.run(project.ctx, { id, archived: true });
    expect(await keys()).toEqual(['general']);
    expect(await keys({ archived: true })).toEqual(['news']);
    const unknown = { code: 'VALIDATION_ERROR', errors: [{ code: 'unknown_topic' }] };
    for (const { use } of [
      users.template,
      users['draft of a campaign'],
      users.filter,
      users['waiting email'],
    ])
      await expect(use()).rejects.toMatchObject(unknown);
    await updateTopic.run(project.ctx, { id, archived: false });
    await users.template.use();
  });

  it('that was archived since the process looked stores no email', async () => {
    const { id } = await add();
    const send = (to: string, more: object = {}) =>
      sendEmail.runRaw(project.ctx, { ...mail, to, topic: 'news', ...more });
    await send('ann@people.test');
    await prisma().topic.update({ where: { id }, data: { archived: true } });
    const unknown = { code: 'VALIDATION_ERROR', errors: [{ field: 'topic', code: 'unknown_topic' }] };
    await expect(send('ben@people.test')).rejects.toMatchObject(unknown);
    const attachments = [{ filename: 'a.txt', content: 'YQ==' }];
    await expect(send('ben@people.test', { attachments })).rejects.toMatchObject(unknown);
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(1);
  });
});
