import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import {
  defineContactField,
  getContactImport,
  openFailedRows,
  startContactImport,
} from '../contacts/index.ts';
import { countFilter } from './count-filter.ts';
import { runContactImport } from './import-into-segment.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await defineContactField.runRaw(project.ctx, { field: 'data.tags', type: 'LIST' });
});
afterAll(() => test.close());

/**
 * A customer file as people keep it by hand: days as on the Continent, amounts with decimal commas and a currency, words for yes and no of
 * two languages, and tags. Every 31st row has a day, every 47th an amount and every 59th a word that nobody can read.
 */
const people = Array.from({ length: 5_065 }, (_, index) => ({
  email: `person${index}@a.test`,
  // In hundredths, from 0 to 3,999.99.
  cents: (index * 7_919) % 400_000,
  day: new Date(Date.UTC(2024, 0, 1 + (index % 700))),
  isActive: index % 3 === 0,
  tags: [`t${index % 7}`, ...(index % 2 === 0 ? ['vip'] : [])],
}));

const amount = (cents: number): string => {
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${whole},${String(cents % 100).padStart(2, '0')} €`;
};
const dayOf = (day: Date): string => {
  const [year, month, date] = day.toISOString().slice(0, 10).split('-');
  return `${date}.${month}.${year}`;
};
const words = { true: ['ja', 'Yes', '1', 'TRUE'], false: ['nein', 'No', '0', 'false'] };

/** @param isDirty whether some cells are unreadable */
const fileOf = (isDirty: boolean): string =>
  [
    'E-Mail;Kunde seit;MRR;Aktiv;Tags',
    ...people.map(({ email, cents, day, isActive, tags }, index) =>
      [
        email,
        isDirty && index % 31 === 0 ? 'spring' : dayOf(day),
        isDirty && index % 47 === 0 ? 'about 20' : amount(cents),
        isDirty && index % 59 === 0 ? 'perhaps' : words[`${isActive}`][index % 4],
        tags.join(', '),
      ].join(';'),
    ),
    '',
  ].join('\r\n');

const mapping = {
  'E-Mail': 'email',
  'Kunde seit': { to: 'data.since', type: 'DATE', format: 'DD.MM.YYYY' },
  MRR: { to: 'data.mrr', type: 'NUMBER', format: '1.234,5' },
  Aktiv: { to: 'data.active', type: 'BOOLEAN' },
  Tags: { to: 'data.tags', type: 'LIST' },
};

async function importFile(csv: string) {
  const { jobId } = await startContactImport.runRaw(project.ctx, { csv, mapping: JSON.stringify(mapping) });
  await runContactImport(test.services, jobId);
  const job = await getContactImport.run(project.ctx, { jobId });
  expect(job.failedReason).toBeNull();
  return { jobId, job };
}

const countOf = async (field: string, operator: string, value: unknown): Promise<number> => {
  const condition = { logic: 'AND', groups: [{ filters: [{ field, operator, value }] }] };
  return (await countFilter.runRaw(project.ctx, { condition })).count;
};

const every = (nth: number): number => Math.ceil(people.length / nth);

it('of a file kept by hand each unreadable cell is counted and listed, and its row is imported without it', async () => {
  const { jobId, job } = await importFile(fileOf(true));
  const unread = [0, every(31), every(47), every(59), 0];
  expect(job).toMatchObject({
    state: 'completed',
    result: {
      totalRows: 5_065,
      successCount: 5_065,
      failureCount: 0,
      unreadCount: every(31) + every(47) + every(59),
      columns: unread.map((count) => expect.objectContaining({ read: 5_065 - count, unread: count })),
    },
  });
  const { chunks } = await openFailedRows(project.ctx, jobId);
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const lines = Buffer.concat(parts).toString().trim().split('\r\n');
  const isBad = (index: number): boolean => [31, 47, 59].some((nth) => index % nth === 0);
  expect(lines).toHaveLength(1 + people.filter((_, index) => isBad(index)).length);
});

it('the file without them is read to the last cell, and filters find whom a person would', async () => {
  const { job } = await importFile(fileOf(false));
  expect(job).toMatchObject({ result: { successCount: 5_065, unreadCount: 0, createdCount: 0 } });
  const wanted = (matches: (person: (typeof people)[number]) => boolean): number =>
    people.filter(matches).length;
  expect(await countOf('data.mrr', 'greaterThan', 50)).toBe(wanted(({ cents }) => cents > 5_000));
  expect(await countOf('data.active', 'equals', true)).toBe(wanted(({ isActive }) => isActive));
  expect(await countOf('data.tags', 'hasAnyOf', ['vip'])).toBe(wanted(({ tags }) => tags.includes('vip')));
  const before = new Date(Date.UTC(2024, 5, 1));
  expect(await countOf('data.since', 'lessThan', '2024-06-01')).toBe(wanted(({ day }) => day < before));
});
