import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSegment } from '../../audience/segments/index.ts';
import { createCampaign } from '../../automation/campaigns/index.ts';
import { createWorkflow } from '../../automation/workflows/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import { sendEmail } from '../../mail/sending/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { searchRecords } from './search-records.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  project = await createTestProject(test.services);
  await fill(project);
  await fill(await createTestProject(test.services), 'foreign.test');
});
afterAll(() => test.close());

async function fill({ id, ctx }: TestProject, domain = 'shop.test'): Promise<void> {
  await verifiedDomain(test.services, id, domain);
  const mail = { subject: 'The spring_sale begins', body: 'B', from: `team@${domain}` };
  await sendEmail.runRaw(ctx, { ...mail, to: `ann@${domain}`, subject: 'Your invoice' });
  const { prisma } = test.services.database;
  await prisma.contact.createMany({
    data: ['spring@people.test', 'zoe@spring.test'].map((email) => ({ id: newId(), projectId: id, email })),
  });
  await createTemplate.runRaw(ctx, { ...mail, name: 'Seasons' });
  await createCampaign.runRaw(ctx, { ...mail, subject: 'S', name: 'Late Spring', audienceType: 'ALL' });
  await createSegment.runRaw(ctx, { name: 'Spring buyers', type: 'STATIC' });
  await createWorkflow.runRaw(ctx, { name: 'After spring', eventName: 'spring' });
}

const found = async (text: string): Promise<string[]> =>
  (await searchRecords.runRaw(project.ctx, { text })).results.map(({ type, title }) => `${type} ${title}`);

describe('the search of the dashboard', () => {
  it('finds records of every type of this project alone: addresses by their beginning, names and subjects by any part', async () => {
    expect(await found('SPRING')).toEqual([
      'contact spring@people.test',
      'campaign Late Spring',
      'template Seasons',
      'workflow After spring',
      'segment Spring buyers',
    ]);
  });

  it('finds people by their names, those of this project alone', async () => {
    const named = await createTestProject(test.services);
    const people = [...Array(7).keys()].map((n) => ({
      id: newId(),
      projectId: named.id,
      email: `p${n}@people.test`,
      data: { firstName: n === 6 ? 'Jana' : 'Pat', lastName: 'Nováková' },
    }));
    await test.services.database.prisma.contact.createMany({ data: people });
    const titles = async (ctx: TestProject['ctx'], text: string) =>
      (await searchRecords.runRaw(ctx, { text })).results.map(({ title, detail }) => [title, detail]);
    expect(await titles(named.ctx, 'novakova JANA')).toEqual([['p6@people.test', 'Jana Nováková']]);
    expect(await titles(named.ctx, 'pat')).toHaveLength(5);
    expect(await titles(project.ctx, 'novakova')).toEqual([]);
  });

  it('finds the emails of a recipient', async () => {
    const { results } = await searchRecords.runRaw(project.ctx, { text: ' ann@ ' });
    expect(results).toMatchObject([
      { type: 'contact', title: 'ann@shop.test' },
      { type: 'email', title: 'ann@shop.test', detail: 'Your invoice' },
    ]);
  });

  it('finds contacts by the beginning of any word of their names, whatever the case and accents', async () => {
    const data = [
      { firstName: 'Jana', lastName: 'Nováková' },
      { name: 'Nora Łukasik' },
      { name: 'Arkanov' },
      { plan: 'novelist' },
    ];
    await test.services.database.prisma.contact.createMany({
      data: data.map((each, index) => ({
        id: newId(),
        projectId: project.id,
        email: `p${index}@named.test`,
        data: each,
      })),
    });
    const titles = async (text: string) =>
      (await searchRecords.runRaw(project.ctx, { text })).results
        .filter(({ type }) => type === 'contact')
        .map(({ title, detail }) => [title, detail]);
    const jana = ['p0@named.test', 'Jana Nováková'];
    expect(await titles('NOVAK')).toEqual([jana]);
    expect(await titles('nováková')).toEqual([jana]);
    expect(await titles('jana nov')).toEqual([jana]);
    expect(await titles('lukasik')).toEqual([['p1@named.test', 'Nora Łukasik']]);
    expect(await titles('p2@')).toEqual([['p2@named.test', 'Arkanov']]);
    expect(await titles('p3@')).toEqual([['p3@named.test', null]]);
    expect(await titles('n%')).toEqual([]);
  });

  it('takes % and _ as they are', async () => {
    expect(await found('spring_s')).toEqual(['template Seasons']);
    expect(await found('%')).toEqual([]);
  });

  it('returns five of a type at most, those whose name begins with the text first', async () => {
    for (const name of ['Big one', 'A big one', 'My big', 'So big', 'Very big', 'Too big'])
      await createTemplate.runRaw(project.ctx, { name, subject: 'S', body: 'B', from: 'team@shop.test' });
    const titles = await found('big');
    expect(titles).toHaveLength(5);
    expect(titles[0]).toBe('template Big one');
  });

  it.each(['', ' ', 'x'.repeat(255)])('refuses %j', async (text) => {
    await expect(searchRecords.runRaw(project.ctx, { text })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
