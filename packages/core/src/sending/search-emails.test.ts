import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemplate } from '../templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../testing/index.ts';
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

  it('are counted', async () => {
    const { total } = await listEmails.runRaw(project.ctx, { search: 'people.test', limit: 1 });
    expect(total).toBe(3);
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
