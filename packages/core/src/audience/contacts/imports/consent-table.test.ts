import fc from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { type Statement, verifyConsent, writeConsents } from '../../consent/index.ts';
import { createTopic } from '../../topics/index.ts';
import { getContactImport } from '../jobs/get-job.ts';
import { runImport } from './run-import.ts';
import { startContactImport } from './start-import.ts';

/** As many rows as the file of which the specification speaks. */
const rowCount = 5_065;
const seed = Number(process.env['PROPERTY_SEED']) || 11;

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

/** How a person was before: without a contact (`recorded` with an opt-out on record), or in one of the states of a contact. */
const befores = [
  'none',
  'recordedByRecipient',
  'recordedByRequest',
  'never',
  'pending',
  'subscribed',
  'snoozed',
  'byRequest',
  'byRecipient',
] as const;
type Before = (typeof befores)[number];
type Choice = boolean | null;

interface Person {
  before: Before;
  /** the choice of the topic `news` before; only of those who ever stated something */
  had: Choice;
  /** what the row says */
  word: string;
  choice: string;
  at: string;
}

const yesWords = ['yes', 'JA', ' true', '1', 'Subscribed', 'sí', 'はい'];
const noWords = ['no', 'Nein', 'FALSE ', '0', 'inactive', 'non'];
const unreadable = 'perhaps';
const future = '2999-01-01';

const person: fc.Arbitrary<Person> = fc
  .record({
    before: fc.constantFrom(...befores),
    had: fc.constantFrom(true, false, null),
    word: fc.constantFrom(...yesWords, ...noWords, '', '', '', ' ', unreadable),
    choice: fc.constantFrom('yes', 'ja', 'no', '0', '', '', '', '', 'sometimes'),
    at: fc.constantFrom('', '', '2024-05-01 10:11:12', '2023-01-31', 'spring', future),
  })
  .map((each) => ({ ...each, had: hasChoices(each.before) ? each.had : null }));

const hasChoices = (before: Before): boolean =>
  before === 'subscribed' || before === 'snoozed' || before === 'byRequest' || before === 'byRecipient';

const emailOf = (index: number): string => `person${index}@a.test`;

interface State {
  status: 'none' | 'subscribed' | 'snoozed' | 'never' | 'unsubscribed';
  by: 'recipient' | 'request' | null;
  news: Choice;
  defaults: boolean;
  basis: string | null;
}

const meaningOf = (word: string, yes: readonly string[]): 'yes' | 'no' | 'nothing' =>
  word.trim() === '' ? 'nothing' : yes.includes(word) ? 'yes' : 'no';

const isOut = (before: Before): boolean => !['none', 'never', 'pending', 'subscribed'].includes(before);

const stateBefore = ({ before, had }: Person): State => {
  const nothing = { by: null, news: had, defaults: true, basis: null };
  switch (before) {
    case 'subscribed':
      return { ...nothing, status: 'subscribed', basis: 'customer' };
    case 'snoozed':
      return { ...nothing, status: 'snoozed' };
    case 'byRequest':
      return { ...nothing, status: 'unsubscribed', by: 'request' };
    case 'byRecipient':
      return { ...nothing, status: 'unsubscribed', by: 'recipient' };
    case 'recordedByRecipient':
    case 'recordedByRequest':
    case 'none':
      return { ...nothing, status: 'none' };
    default:
      return { ...nothing, status: 'never' };
  }
};

/** The table of B4.5 and the sentences below it, written from the page alone. */
function expected(one: Person, form: 'yes' | 'no' | 'nothing' | 'column'): State {
  const { before, had } = one;
  const was = stateBefore(one);
  const said = form === 'column' ? meaningOf(one.word, yesWords) : form;
  const choice = meaningOf(one.choice, ['yes', 'ja']);
  const [out, isNew] = [isOut(before), was.status === 'none'];
  const by =
    before === 'recordedByRequest' ? 'request' : before === 'recordedByRecipient' ? 'recipient' : was.by;
  // A no to a topic always counts, and a yes neither replaces one nor counts for who is out and stays so.
  const mayChoose = had !== false && (!out || said === 'no');
  const news = choice === 'no' ? false : choice === 'yes' && mayChoose ? true : had;
  const leaves: State = { ...was, status: 'unsubscribed', by: 'recipient', news, basis: null };
  if (said === 'no') return leaves;
  if (out) return { ...was, status: isNew ? 'unsubscribed' : was.status, by, news };
  if (before === 'subscribed') return { ...was, news, basis: one.at !== '' ? 'given' : was.basis };
  if (said === 'yes' && (isNew || form === 'column'))
    return {
      ...was,
      status: 'subscribed',
      news,
      basis: form === 'column' || one.at !== '' ? 'given' : 'default',
    };
  // Choosing a topic is a statement of its own.
  if (choice === 'yes') return { ...was, status: 'subscribed', news, defaults: false, basis: 'given' };
  if (choice === 'no') return { ...was, status: 'unsubscribed', by: 'request', news };
  return { ...was, status: 'never' };
}

const inOneLine = ({ status, by, news, defaults, basis }: State): string =>
  [status, by, news, defaults, basis].join(' ');

const fails = ({ word, choice, at }: Person, form: string): boolean =>
  (form === 'column' && word === unreadable) || choice === 'sometimes' || at === 'spring' || at === future;

async function run({ ctx }: TestProject, csv: string, options: object = {}) {
  const { jobId } = await startContactImport.runRaw(ctx, { csv, ...options });
  await runImport(test.services, jobId);
  const job = await getContactImport.run(ctx, { jobId });
  expect(job.state).toBe('completed');
  return job.result;
}

const prisma = () => test.services.database.prisma;

/** Brings all of them into the state in which the file finds them. */
async function seeded(people: readonly Person[]): Promise<TestProject> {
  const project = await createTestProject(test.services);
  await createTopic.runRaw(project.ctx, { key: 'news', name: { en: 'News' }, default: 'IN' });
  const listed = (fits: (before: Before) => boolean): string =>
    ['email', ...people.flatMap(({ before }, index) => (fits(before) ? [emailOf(index)] : [])), ''].join(
      '\n',
    );
  await run(
    project,
    listed((before) => before !== 'none' && !before.startsWith('recorded')),
    {
      subscribed: 'keep',
    },
  );
  await run(
    project,
    listed((before) => before === 'recordedByRecipient'),
    { kind: 'optOuts' },
  );
  const hashes = people.flatMap(({ before }, index) =>
    before === 'recordedByRequest' ? [test.services.secrets.addressHash(project.id, emailOf(index))] : [],
  );
  await prisma().optOut.createMany({
    data: hashes.map((addressHash) => ({
      projectId: project.id,
      addressHash: Uint8Array.from(addressHash),
      byRecipient: false,
    })),
  });
  const contacts = await prisma().contact.findMany({ where: { projectId: project.id } });
  const ids = new Map(contacts.map(({ id, email }) => [email, id]));
  const { number } = await prisma().topic.findFirstOrThrow({ where: { projectId: project.id, key: 'news' } });
  const say = (statementOf: (one: Person) => Omit<Statement, 'contact'> | null) =>
    writeConsents(
      prisma(),
      project.id,
      { by: 'single', source: 'api', actor: 'system' },
      people.flatMap((one, index) => {
        const contact = ids.get(emailOf(index));
        const statement = contact === undefined ? null : statementOf(one);
        return contact === undefined || statement === null ? [] : [{ contact, ...statement }];
      }),
    );
  const until = new Date(Date.now() + 86_400_000);
  await say(({ before, had }) =>
    hasChoices(before)
      ? {
          kind: 'state',
          wanted: true,
          basis: 'customer',
          ...(had === true && { yes: [number] }),
          ...(had === false && { no: [number] }),
        }
      : before === 'pending'
        ? { kind: 'request', until }
        : null,
  );
  await say(({ before }) => {
    if (before === 'snoozed') return { kind: 'snooze', until };
    if (before === 'byRequest') return { kind: 'state', wanted: false };
    return before === 'byRecipient' ? { kind: 'state', wanted: false, optOutBy: 'recipient' } : null;
  });
  return project;
}

async function statesOf(project: TestProject): Promise<Map<string, State>> {
  const { number } = await prisma().topic.findFirstOrThrow({ where: { projectId: project.id, key: 'news' } });
  const rows = await prisma().contact.findMany({ where: { projectId: project.id } });
  return new Map(
    rows.map((row) => [
      row.email,
      {
        status: row.subscribed
          ? 'subscribed'
          : row.snoozedUntil
            ? 'snoozed'
            : row.stated
              ? 'unsubscribed'
              : 'never',
        by: row.optOutBy,
        news: row.topicsOn.includes(number) ? true : row.topicsOff.includes(number) ? false : null,
        defaults: row.topicDefaults,
        basis: row.subscribed ? row.consentBasis : null,
      },
    ]),
  );
}

it.each([
  ['column', {}],
  ['yes', { subscribed: 'true' }],
  ['no', { subscribed: 'false' }],
  ['nothing', { subscribed: 'keep' }],
] as const)(
  'a file of 5,065 rows whose subscription is said by %s leaves all as the table says, and a dry run knows it',
  { timeout: 120_000 },
  async (form, options) => {
    const people = fc.sample(person, { numRuns: rowCount, seed });
    const project = await seeded(people);
    const columns = ['email', 'topics.news', 'consent.at', ...(form === 'column' ? ['subscribed'] : [])];
    const file = [
      columns.join(','),
      ...people.map(({ word, choice, at }, index) =>
        [emailOf(index), choice, at, ...(form === 'column' ? [word] : [])].join(','),
      ),
      '',
    ].join('\r\n');
    const dry = await run(project, file, { ...options, dryRun: true });
    const real = await run(project, file, options);
    expect({ ...dry, dryRun: false }).toEqual(real);

    const states = await statesOf(project);
    const wrong = people.flatMap((one, index) => {
      const before = stateBefore(one);
      const after = fails(one, form) ? before : expected(one, form);
      const found = states.get(emailOf(index)) ?? { ...before, status: 'none' };
      return inOneLine(after) === inOneLine(found) ? [] : [{ ...one, after, found }];
    });
    expect(wrong.slice(0, 3)).toEqual([]);

    const read = people.filter((one) => !fails(one, form));
    const count = (fits: (before: State, after: State, one: Person) => boolean): number =>
      read.filter((one) => fits(stateBefore(one), expected(one, form), one)).length;
    const receives = ({ status }: State): boolean => status === 'subscribed';
    const left = ({ status }: State): boolean => status === 'unsubscribed';
    const recorded = ({ before }: Person): boolean => before.startsWith('recorded');
    expect(real).toMatchObject({
      totalRows: rowCount,
      failureCount: rowCount - read.length,
      subscribedCount: count((before, after) => !receives(before) && receives(after)),
      unsubscribedCount: count((before, after, one) => !left(before) && left(after) && !recorded(one)),
      optedOutCount: count(
        (before, after, one) =>
          recorded(one) || left(before) || (before.status === 'snoozed' && after.status === 'snoozed'),
      ),
    });
    const differences = [];
    for await (const each of verifyConsent(test.services, project.id)) differences.push(each);
    expect(differences).toEqual([]);
  },
);
