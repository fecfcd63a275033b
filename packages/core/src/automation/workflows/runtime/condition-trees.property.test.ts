import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Filter, FilterTree } from '../../../audience/segments/filters.rules.ts';
import { filtersOf } from '../../../audience/segments/filters.rules.ts';
import { readFilterTree } from '../../../audience/segments/filters.schema.ts';
import { evaluateTrees, readFilterFacts } from '../../../audience/segments/index.ts';
import { holdsPlainly, type Question } from '../../../audience/segments/plain-values.fixture.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { dispatchBatch } from './dispatch-events.ts';
import { randomOf } from './interpreter.fixture.ts';
import { rehearse } from './rehearse.ts';
import { type BuiltWorkflow, buildTemplate, buildWorkflow, type GivenStep } from './runtime.fixture.ts';
import { takeSet } from './take-set.ts';

/**
 * A condition by a tree says the same of a contact wherever it is asked: in a set of any size, for one execution, in a test run, as a segment
 * where it looks at nothing of the execution, and by an interpreter that shares no code with them.
 */
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
});
afterAll(() => test.close());

const workflows = Number(process.env['PROPERTY_ROUNDS'] ?? 15);
const conditions = 48;
const now = new Date('2030-01-01T12:00:00.000Z');
const clock = { now, timeZone: 'UTC' };

interface Person {
  id: string;
  email: string;
  subscribed: boolean;
  data: Record<string, unknown>;
  /** of the event by which they enter */
  context: Record<string, unknown>;
  bought: { at: Date; data: Record<string, unknown> }[];
  /** of the email of the step `hello` */
  opened: boolean;
}

const picking = (seed: number) => {
  const random = randomOf(seed);
  const below = (most: number): number => Math.floor(random() * most);
  return { below, pick: <T>(list: readonly T[]): T => list[below(list.length)] as T };
};
type Picking = ReturnType<typeof picking>;

const plans = ['free', 'pro', 'team'] as const;
const someValue = ({ pick }: Picking): unknown =>
  pick<unknown>([...plans, 0, 3, '3', 3.5, true, null, '', ['vip'], '2029-12-25', '2030-01-01T08:00:00Z']);

const people = (from: Picking): Person[] =>
  Array.from({ length: 9 }, (_, index): Person => {
    const { below, pick } = from;
    const some = (value: unknown, key: string) => (below(4) === 0 ? {} : { [key]: value });
    return {
      id: newId(),
      email: `p${index}@people.test`,
      subscribed: below(3) > 0,
      data: {
        ...some(someValue(from), 'plan'),
        ...some(pick([1, 5, '5', 'many']), 'seats'),
        ...some(['vip', 'beta'].slice(0, 1 + below(2)), 'tags'),
        ...some('a literal key', 'a.b'),
        ...some(pick(['2029-12-25', '2029-06-01', 'soon']), 'since'),
      },
      context: {
        ...some(someValue(from), 'plan'),
        ...some({ total: pick([0, 10, '10', 99.5]), items: [{ sku: pick(['x', 'y']) }] }, 'order'),
        ...some('literal', 'order.total'),
        ...some(below(5), 'n'),
      },
      bought: Array.from({ length: below(4) }, (_, ago) => ({
        at: new Date(now.getTime() - (ago + 1) * 86_400_000),
        data: { sku: pick(['x', 'y']), amount: pick([1, 20, '20']) },
      })),
      opened: below(2) === 0,
    };
  });

/** A filter of the contact, or of the execution. */
function someFilter(from: Picking, ofExecution: boolean): Filter {
  const { below, pick } = from;
  const fields = ['data.plan', 'data.seats', 'data.tags', 'data.a.b', 'data.since', 'data.stage'];
  const own = ['context.plan', 'context.order.total', 'context.order.items.0.sku', 'context.n'];
  const steps = [
    'step.ask.eventName',
    'step.ask.waitOutcome',
    'step.mark.updatedKeys.0',
    'step.mark.subscriptionChanged',
    'step.hello.skipped',
    'step.never.x',
  ];
  const compared = pick(ofExecution ? [...fields, ...own, ...own, ...steps] : fields);
  const ofValue = (): Filter => {
    switch (below(9)) {
      case 0:
        return { field: compared, operator: pick(['exists', 'notExists', 'isEmpty', 'isNotEmpty']) };
      case 1:
        return { field: compared, operator: pick(['isAnyOf', 'isNoneOf']), value: ['pro', 'x', 5, 'EVENT'] };
      case 2:
        return { field: compared, operator: pick(['contains', 'notContains']), value: pick(['o', 'EV']) };
      case 3:
        return {
          field: compared,
          operator: pick(['hasAnyOf', 'hasAllOf', 'hasNoneOf']),
          value: ['vip', 'beta'],
        };
      case 4:
        return { field: compared, operator: pick(['within', 'olderThan']), value: 30, unit: 'days' };
      case 5:
        return {
          field: compared,
          operator: pick(['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual']),
          value: pick([3, 10, '2029-12-25', 'p']),
        };
      default:
        return {
          field: compared,
          operator: pick(['equals', 'notEquals']),
          value: pick<unknown>([...plans, 5, '5', 'asked', 'EVENT', 'stage', true, 'x', null]),
        };
    }
  };
  switch (below(6)) {
    case 0:
      return { field: 'subscribed', operator: 'equals', value: pick([true, false]) };
    case 1:
      return pick<Filter>([
        { field: 'event.bought', operator: 'occurred', times: { min: pick([1, 2]) } },
        { field: 'event.bought', operator: 'notOccurred', window: { last: 2, unit: 'days' } },
        {
          field: 'event.bought',
          operator: 'occurred',
          where: [{ property: 'sku', operator: 'equals', value: 'x' }],
        },
        { field: 'event.bought', operator: 'total', property: 'amount', compare: 'greaterThan', value: 20 },
      ]);
    case 2:
      if (!ofExecution) return ofValue();
      return {
        field: `step.hello.${pick(['opened', 'sent', 'skipped', 'clicked'])}`,
        operator: pick(['occurred', 'notOccurred']),
      };
    default:
      return ofValue();
  }
}

function someTree(from: Picking, ofExecution: boolean, depth = 0): FilterTree {
  const { below, pick } = from;
  const groups = Array.from({ length: 1 + below(3) }, () => {
    const filters = Array.from({ length: 1 + below(2) }, () => someFilter(from, ofExecution));
    return depth < 2 && below(3) === 0
      ? { filters, conditions: someTree(from, ofExecution, depth + 1) }
      : { filters };
  });
  return { logic: pick(['AND', 'OR']), groups };
}

/** The steps of an execution as its trees see them. */
interface Seen {
  data: Record<string, unknown>;
  subscribed: boolean;
  context: Record<string, unknown>;
  outputs: Record<string, Record<string, unknown>>;
}

const own = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Record<string, unknown>)[key]
    : undefined;
const read = (holder: unknown, path: string): unknown =>
  own(holder, path) ?? path.split('.').reduce<unknown>((value, key) => own(value, key), holder);

function holds(person: Person, seen: Seen, { field, operator, ...asked }: Filter): boolean {
  const plainly = (value: unknown): boolean => holdsPlainly(value, { operator, ...asked } as Question, clock);
  if (field === 'subscribed') return seen.subscribed === asked.value;
  if (field === 'event.bought') {
    const counted = person.bought.filter(
      ({ at, data }) =>
        (asked.window === undefined || at.getTime() >= now.getTime() - 2 * 86_400_000) &&
        (asked.where ?? []).every((each) => holdsPlainly(data[each.property], each as Question, clock)),
    );
    if (operator === 'notOccurred') return counted.length === 0;
    if (operator === 'total')
      return counted.reduce((sum, { data }) => sum + Number(data['amount']), 0) > Number(asked.value);
    return counted.length >= (asked.times?.min ?? 1);
  }
  const [area = '', first = '', ...path] = field.split('.');
  if (area === 'data') return plainly(seen.data[field.slice(5)]);
  if (area === 'context') return plainly(read(seen.context, field.slice(8)));
  const [activity = ''] = path;
  if (operator !== 'occurred' && operator !== 'notOccurred')
    return plainly(read(seen.outputs[first], path.join('.')));
  const happened =
    activity === 'skipped'
      ? seen.outputs['hello']?.['skipped'] !== null
      : activity === 'opened' && person.opened;
  return happened === (operator === 'occurred');
}

const matches = (person: Person, seen: Seen, { logic, groups }: FilterTree): boolean => {
  const each = groups.map(
    ({ filters, conditions: nested }) =>
      filters.every((filter) => holds(person, seen, filter)) && (!nested || matches(person, seen, nested)),
  );
  return logic === 'AND' ? each.every(Boolean) : each.some(Boolean);
};

/** An email that is read and an event that is awaited, a change of the contact, and then a row of conditions. */
async function build(trees: readonly FilterTree[], templateId: string): Promise<BuiltWorkflow> {
  const steps: Record<string, GivenStep> = {
    hello: { type: 'SEND_EMAIL', config: {}, templateId },
    ask: { type: 'WAIT_FOR_EVENT', config: { eventName: 'asked', timeout: 86_400 } },
    mark: { type: 'UPDATE_CONTACT', config: { data: { stage: '{{event.n}}' } } },
    ...Object.fromEntries(
      trees.map((condition, index) => [`c${index}`, { type: 'CONDITION', config: { condition } }]),
    ),
    end: { type: 'EXIT', config: {} },
  };
  const names = ['trigger', ...Object.keys(steps)];
  return buildWorkflow(test.services, project.id, steps, {
    transitions: names.slice(1).flatMap((to, index) => {
      const from = names[index] ?? '';
      if (!/^c\d/.test(from)) return [{ from, to }];
      return [
        { from, to, branch: 'yes' },
        { from, to, branch: 'no' },
      ];
    }),
  });
}

it('a set, a single execution, a test run, a segment and an interpreter agree on random trees', async () => {
  const { prisma, durable } = test.services.database;
  const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
  let judged = 0;
  for (let seed = 1; seed <= workflows; seed += 1) {
    const from = picking(seed);
    const trees = Array.from({ length: conditions }, (_, index) => someTree(from, index % 3 > 0));
    for (const tree of trees) expect(readFilterTree(tree, { ofExecution: true }).issues).toEqual([]);
    const persons = people(from);
    const workflow = await build(trees, templateId);
    const unit = { projectId: project.id, workflowId: workflow.id };
    await prisma.contact.createMany({
      data: persons.map(({ id, email, data, subscribed }) => ({
        ...{ id, projectId: project.id, email: `${seed}.${email}`, data: data as object, subscribed },
      })),
    });
    const event = (name: string, contactId: string, createdAt: Date, data: object) => ({
      ...{ id: newId(), projectId: project.id, contactId, name, createdAt, data },
    });
    await prisma.event.createMany({
      data: persons.flatMap(({ id, bought }) => bought.map(({ at, data }) => event('bought', id, at, data))),
    });
    const begin = new Date(now.getTime() - 3_600_000);
    await prisma.event.createMany({
      data: persons.map(({ id, context }) => event('signup', id, begin, context)),
    });
    const due = (at: Date) =>
      durable.query(
        `UPDATE "WorkflowExecution" SET "dueAt" = $2 WHERE "workflowId" = $1 AND "dueAt" IS NOT NULL`,
        [workflow.id, at],
      );
    while ((await dispatchBatch(test.services, project.id)).taken > 0);
    await due(begin);
    await takeSet(test.services, unit, { limit: 500, now: begin });
    const openers = persons.filter(({ opened }) => opened).map(({ id }) => id);
    await prisma.email.updateMany({
      where: { projectId: project.id, contactId: { in: openers } },
      data: { openedAt: now },
    });
    await prisma.event.createMany({
      data: persons.map(({ id }, index) =>
        event('asked', id, new Date(now.getTime() - 60_000), index % 2 === 0 ? {} : { plan: 'asked' }),
      ),
    });
    // The first by itself, the others together.
    const rows = await prisma.workflowExecution.findMany({ where: { workflowId: workflow.id } });
    await durable.query(`DELETE FROM "EventDispatch" WHERE "projectId" = $1`, [project.id]);
    await due(now);
    for (const { id } of persons.slice(0, 1)) {
      const alone = rows.find(({ contactId }) => contactId === id);
      await takeSet(test.services, unit, { limit: 1, ids: [alone?.id ?? ''], now });
    }
    await due(now);
    await takeSet(test.services, unit, { limit: 500, now });
    const taken = await prisma.workflowStepExecution.findMany({
      where: { executionId: { in: rows.map(({ id }) => id) } },
    });
    const after = await prisma.contact.findMany({ where: { id: { in: persons.map(({ id }) => id) } } });
    for (const [index, person] of persons.entries()) {
      const row = rows.find(({ contactId }) => contactId === person.id);
      const contact = after.find(({ id }) => id === person.id);
      const outputOf = (name: string) =>
        taken.find((each) => each.executionId === row?.id && each.stepId === workflow.step(name))
          ?.output as Record<string, unknown>;
      const seen: Seen = {
        data: contact?.data as Record<string, unknown>,
        subscribed: person.subscribed,
        context: index % 2 === 0 ? person.context : { ...person.context, plan: 'asked' },
        outputs: Object.fromEntries(['hello', 'ask', 'mark'].map((name) => [name, outputOf(name)])),
      };
      const expected = trees.map((tree) => matches(person, seen, tree));
      expect(
        trees.map((_, place) => outputOf(`c${place}`)?.['branch'] === 'yes'),
        `seed ${seed}, person ${index}`,
      ).toEqual(expected);
      judged += trees.length;
      for (const [place] of trees.entries()) {
        const { because, result } = outputOf(`c${place}`) as {
          because: { matches: boolean }[];
          result: boolean;
        };
        expect(result).toBe(expected[place]);
        // What decided has the same answer as the tree, since nothing negates a group.
        expect(because.length).toBeGreaterThan(0);
        expect(because.every((reason) => reason.matches === result)).toBe(true);
      }
      if (index !== 1) continue;
      const contactOnly = trees.filter((_, place) => place % 3 === 0);
      for (const [place, tree] of contactOnly.entries()) {
        const facts = await readFilterFacts(
          prisma,
          { projectId: project.id, contactId: person.id },
          tree,
          now,
        );
        expect(facts?.matches, `segment, seed ${seed}, tree ${place * 3}`).toBe(expected[place * 3]);
        expect(facts?.filters).toHaveLength(filtersOf(tree).length);
      }
    }
    // As one statement with branches, by what the rows have.
    const given = persons.map((person, n) => {
      const contact = after.find(({ id }) => id === person.id);
      return {
        ...{ n, contactId: person.id, email: contact?.email ?? '', subscribed: person.subscribed },
        ...{ topicsOn: [], topicsOff: [], topicDefaults: true },
        ...{ status: person.subscribed ? ('subscribed' as const) : ('unsubscribed' as const) },
        ...{ consentBasis: null, consentedAt: null },
        ...{ createdAt: now.toISOString(), updatedAt: now.toISOString() },
        data: contact?.data as Record<string, unknown>,
        context: n % 2 === 0 ? person.context : { ...person.context, plan: 'asked' },
        steps: {},
        executionId: rows.find(({ contactId }) => contactId === person.id)?.id ?? '',
      };
    });
    const branches = trees.slice(0, 20);
    const found = await evaluateTrees(prisma, {
      ...{ projectId: project.id, now, timeZone: 'UTC', rows: given, branches },
      stepIds: { hello: workflow.step('hello'), ask: workflow.step('ask'), mark: workflow.step('mark') },
    });
    for (const [n] of persons.entries()) {
      const first = branches.findIndex((_, place) => {
        const step = taken.find(
          (each) => each.executionId === given[n]?.executionId && each.stepId === workflow.step(`c${place}`),
        );
        return (step?.output as { branch?: string } | null)?.branch === 'yes';
      });
      expect(found.get(n)).toBe(first < 0 ? null : first);
    }
    // A test run has steps of its own, so only what they do not decide is the same.
    const [person] = persons;
    const row = rows.find(({ contactId }) => contactId === person?.id);
    const run = await rehearse(
      test.services,
      { ...unit, contactId: person?.id ?? '', context: person?.context ?? {} },
      'EVENT',
    );
    for (const [place, tree] of trees.entries()) {
      if (/"step\.|"within|"olderThan|"event\./.test(JSON.stringify(tree))) continue;
      const output = (id: string | undefined) =>
        taken.find((each) => each.executionId === id && each.stepId === workflow.step(`c${place}`))
          ?.output as { branch?: string };
      const tested = run.steps.find(({ step }) => step.id === workflow.step(`c${place}`));
      expect(tested?.result.output?.['branch'], `test, seed ${seed}, tree ${place}`).toBe(
        output(row?.id)?.branch,
      );
    }
  }
  expect(judged).toBe(workflows * conditions * 9);
}, 600_000);

it('asks the database once for a condition of 500 executions', async () => {
  const statements: string[] = [];
  const db = {
    $queryRaw: (...args: unknown[]) => {
      statements.push(String(args[0]));
      return (test.services.database.prisma.$queryRaw as (...all: unknown[]) => Promise<unknown>)(...args);
    },
    $executeRaw: () => Promise.reject(new Error('nothing is written')),
  };
  const { evaluateConditions } = await import('../steps/evaluate-conditions.ts');
  const from = picking(7);
  const trees = Array.from({ length: 5 }, () => someTree(from, true));
  const members = Array.from({ length: 500 }, (_, n) => ({
    id: newId(),
    contact: {
      ...{ id: newId(), email: `m${n}@people.test`, subscribed: true, data: { plan: 'pro' } },
      ...{ topicsOn: [], topicsOff: [], topicDefaults: true },
      ...{ status: 'subscribed' as const, consentBasis: null, consentedAt: null },
      ...{ createdAt: now.toISOString(), updatedAt: now.toISOString() },
    },
    context: { n },
    outputs: new Map(),
  }));
  const branches = trees.map((condition, index) => ({ id: `b${index}`, name: 'B', condition }));
  const result = await evaluateConditions(
    db as never,
    members,
    { mode: 'multi', branches },
    { now, timeZone: 'UTC', projectId: project.id, stepIdOf: () => newId() },
  );
  expect(result).toHaveLength(500);
  expect(statements).toHaveLength(1);
});
