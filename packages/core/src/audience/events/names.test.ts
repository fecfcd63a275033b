import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { listContactFields, upsertContact } from '../contacts/index.ts';
import { createSegment, listContacts } from '../segments/index.ts';
import { searchEvents } from './search-events.ts';
import { trackEvent } from './track-event.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  project = await createTestProject(test.services);
});
afterAll(() => test.close());

const email = 'ann@people.test';
const spellings = ['Menü', 'Menu\u0308', ' Me\u200bnü', '\u202aMenü\u202c '] as const;

describe('spellings of a name that look alike', () => {
  it.each(spellings)('are one event: %j', async (event) => {
    const { total } = await searchEvents.runRaw(project.ctx, { eventName: 'Menü' });
    await trackEvent.runRaw(project.publicCtx, { email, event });
    expect((await searchEvents.runRaw(project.ctx, { eventName: event })).total).toBe(total + 1);
  });

  it.each(spellings)('are one field: %j', async (key) => {
    await upsertContact.runRaw(project.ctx, { email, data: { [key]: key } });
    const { fields } = await listContactFields.runRaw(project.ctx, {});
    expect(fields.map(({ field }) => field).filter((field) => field.startsWith('data.'))).toEqual([
      'data.Menü',
    ]);
    const filter = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.Menu\u0308', operator: 'equals', value: key }] }],
    };
    expect((await listContacts.runRaw(project.ctx, { filter: JSON.stringify(filter) })).total).toBe(1);
  });

  it('of two keys of one data the later counts', async () => {
    const data = { 'pl\u00adan': 'free', plan: 'pro', seats: 3, ' seats': null };
    const contact = await upsertContact.runRaw(project.ctx, { email: 'bob@people.test', data });
    expect(contact.data).toEqual({ plan: 'pro' });
  });

  it('name a segment as it looks; a name with a control character, or with nothing to see, is refused', async () => {
    const create = (name: string) => createSegment.runRaw(project.ctx, { name, type: 'STATIC' });
    expect(await create(' Ku\u0308he \u2060')).toMatchObject({ name: 'Kühe' });
    for (const name of ['a\nb', 'a\u0007b', '\u200b', '\u200d'])
      await expect(create(name)).rejects.toMatchObject({ errors: [{ field: 'name' }] });
  });
});
