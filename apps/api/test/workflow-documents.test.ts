import { createGoal } from '@postrider/core/automation/goals';
import {
  createWorkflow,
  exportWorkflow,
  getWorkflow,
  importWorkflow,
  replaceGraph,
  updateWorkflow,
} from '@postrider/core/automation/workflows';
import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '@postrider/core/testing';
import { all, any, awaited, eq, event, filter, workflow } from '@postrider/sdk/workflow';
import { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;

async function template(alias: string | null): Promise<string> {
  const id = newId();
  const texts = { name: 'T', subject: 'S', body: 'B', from: 'us@mail.test' };
  await prisma().template.create({ data: { ...texts, id, projectId: project.id, alias } });
  return id;
}
const textOf = async (id: string, format: 'json' | 'typescript' = 'json') =>
  (await exportWorkflow.run(project.ctx, { id, format })).text;

/** Runs the module of a document, as a program of the user does. */
function evaluate(text: string): unknown {
  const body = text.replace(/^import .*$/m, '').replace('export default', 'return');
  return new Function('workflow', body)(workflow);
}

/** The same draws for the same seed. */
function drawing(seed: number): (most: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (most) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * most);
  };
}

const texts = ['plain', 'it\'s "quoted"', '`$' + '{x}`', 'Ünï 早\u2028', '</script>', '{{ name }}'];

/** A definition with joins, branches with odd names, rows apart and texts that break badly written code. */
function generated(seed: number, templateId: string) {
  const draw = drawing(seed);
  const text = () => texts[draw(texts.length)] ?? '';
  const branches = [
    { id: '10', name: text(), operator: 'exists' as const },
    { id: '2', name: 'Two', operator: 'equals' as const, value: text() },
    {
      id: ["it's", '</b>', '{{ a }}', 'x y'][draw(4)] ?? 'x',
      name: 'Last',
      operator: 'equals' as const,
      value: draw(9),
    },
  ];
  const kinds = [
    () => ({ type: 'DELAY' as const, config: { amount: 1 + draw(9), unit: 'days' } }),
    () => ({ type: 'SEND_EMAIL' as const, config: {}, templateId }),
    () => ({
      type: 'WAIT_FOR_EVENT' as const,
      config: { eventName: 'paid', ...(draw(2) ? { timeout: 60 + draw(9) } : {}) },
    }),
    () => ({ type: 'CONDITION' as const, config: { field: 'data.plan', operator: 'equals', value: text() } }),
    () => ({ type: 'CONDITION' as const, config: { mode: 'multi', field: 'data.plan', branches } }),
    () => ({
      type: 'WAIT_FOR_EVENT' as const,
      config: {
        events: [
          {
            eventName: 'order.paid',
            where: [{ property: 'id', operator: 'equals', value: '{{event.id}}' }],
          },
          { eventName: ['plain', 'Ünï 早', '{{ name }}'][draw(3)] ?? 'x' },
        ],
      },
    }),
    () => ({
      type: 'CONDITION' as const,
      config: {
        condition: {
          logic: draw(2) ? 'AND' : 'OR',
          groups: [
            { filters: [{ field: `context.${text()}`, operator: 'equals', value: draw(9) }] },
            {
              filters: [
                {
                  ...{ field: 'email.clicked', operator: 'triggered' },
                  where: [{ property: 'templateId', operator: 'isAnyOf', value: [templateId] }],
                },
              ],
            },
          ],
        },
      },
    }),
    () => ({
      type: 'WEBHOOK' as const,
      config: {
        url: 'https://example.com/',
        body: JSON.parse(`{"__proto__": ${JSON.stringify('p')}, "a b": [1, {"deep": null}]}`),
      },
    }),
    () => ({ type: 'UPDATE_CONTACT' as const, config: { data: { 'a-key': draw(5), n: text() || 'n' } } }),
    () => ({ type: 'EXIT' as const, config: { reason: 'done' } }),
  ];
  const steps = Array.from({ length: 1 + draw(12) }, (_, index) => ({
    id: newId(),
    name: draw(3) ? `step-${index}` : `Step ${text()} ${index}`,
    position: { x: draw(1000) - 500, y: draw(1000) / 3 },
    ...(kinds[draw(kinds.length)] ?? (() => ({ type: 'EXIT' as const, config: {} })))(),
  }));
  return { steps, draw };
}

function outletsOf({
  type,
  config,
}: {
  type: string;
  config: object;
}): { branch?: string; waitOutcome?: 'EVENT' | 'TIMEOUT' }[] {
  if (type === 'EXIT') return [];
  if (type === 'CONDITION')
    return 'branches' in config
      ? [...(config.branches as { id: string }[]).map(({ id }) => ({ branch: id })), { branch: 'default' }]
      : [{ branch: 'yes' }, { branch: 'no' }];
  if (type === 'WAIT_FOR_EVENT')
    return 'timeout' in config ? [{ waitOutcome: 'EVENT' }, { waitOutcome: 'TIMEOUT' }] : [{}];
  return [{}];
}

async function build(seed: number, templateId: string, named: Named): Promise<string> {
  const { id, steps: first } = await createWorkflow.run(project.ctx, {
    name: `Generated ${seed} "quoted"`,
    eventName: 'signed up',
    allowReentry: seed % 2 === 0,
    ...(seed % 3 === 0 ? { description: "What it's for" } : {}),
  });
  const { steps, draw } = generated(seed, templateId);
  const [start] = first;
  if (!start) throw new Error('no trigger');
  const trigger = {
    id: start.id,
    type: 'TRIGGER' as const,
    name: start.name,
    position: draw(2) ? start.position : { x: 7, y: 8 },
    config: {},
  };
  const all = [trigger, ...steps];
  const transitions = all.flatMap((step, index) => {
    const later = all.slice(index + 1);
    return later.length === 0
      ? []
      : outletsOf(step).flatMap((outlet) =>
          draw(5) === 0
            ? []
            : [
                {
                  fromStepId: step.id,
                  toStepId: later[draw(later.length)]?.id ?? '',
                  ...outlet,
                  ...(draw(4) === 0 ? { priority: draw(9) } : {}),
                },
              ],
        );
  });
  await replaceGraph.run(project.ctx, { id, steps: all, transitions });
  await updateWorkflow.runRaw(project.ctx, { id, ...whoEnters(seed) });
  const keys = (await getWorkflow.run(project.ctx, { id })).steps.map(({ key }) => key);
  await updateWorkflow.runRaw(project.ctx, { id, ...endsOf(draw, named, keys) });
  return id;
}

const filterOf = (value: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value }] }],
});

/** Another trigger and other entry rules for each of some definitions. */
function whoEnters(seed: number): object {
  const triggers = [
    {},
    {
      triggerConfig: {
        eventName: 'signed up',
        where: [{ property: 'a.b', operator: 'isAnyOf', value: ["it's", 1, true] }],
      },
    },
    { triggerType: 'SCHEDULE', triggerConfig: { cron: '0 9 * * 1', filter: filterOf('"pro"') } },
    {
      triggerType: 'DATE',
      triggerConfig: { field: 'data.born on', repeat: 'YEARLY', offsetDays: -3, at: '07:30' },
    },
    { triggerType: 'CONTACT', triggerConfig: { sources: ['track', 'form'] } },
    { triggerType: 'MANUAL' },
  ];
  return {
    ...triggers[seed % triggers.length],
    ...(seed % 4 === 0
      ? { allowReentry: true, entry: { limit: seed, every: { amount: 1 + seed, unit: 'hours' } } }
      : {}),
    ...(seed % 5 === 0 ? { timeZone: 'Asia/Kathmandu' } : {}),
    ...(seed % 7 === 0 ? { entry: { filter: filterOf('{{ x }}') } } : {}),
  };
}

/** What documents name by other names than ids. */
interface Named {
  goals: string[];
  segment: string;
}

function endsOf(draw: (most: number) => number, { goals, segment }: Named, keys: readonly string[]) {
  const toStepKey = keys[1 + draw(keys.length - 1)];
  const effects = [{}, { effect: 'EXIT' }, { effect: 'JUMP', toStepKey }];
  const inSegment = { field: `segment.${segment}`, operator: 'notMemberOfSegment' };
  const rules = [
    { name: texts[draw(texts.length)], eventName: 'order.paid' },
    {
      name: 'Large',
      eventName: 'paid',
      where: [{ property: 'a.b', operator: 'greaterThan', value: draw(9) }],
    },
    {
      name: 'Left',
      condition: {
        logic: 'OR',
        groups: [
          { filters: [inSegment], conditions: { logic: 'AND', groups: [{ filters: [inSegment] }] } },
          { filters: [{ field: 'data.plan', operator: 'equals', value: texts[draw(texts.length)] }] },
        ],
      },
    },
  ];
  return {
    goals: goals.slice(0, draw(3)).map((goalId) => ({ goalId, ...effects[draw(effects.length)] })),
    exits: rules.slice(0, draw(4)),
  };
}

async function namedRecords(): Promise<Named> {
  const goals = await Promise.all(
    ['Purchase', 'Ünï: "quoted"'].map((name) =>
      createGoal.run(project.ctx, { name, eventName: 'order.paid' }),
    ),
  );
  const segment = await prisma().segment.create({
    data: { id: newId(), projectId: project.id, name: 'VIP', slug: 'vip' },
  });
  return { goals: goals.map(({ id }) => id), segment: segment.id };
}

/** What the canvas shows, by keys instead of ids. */
async function canvas(id: string) {
  const {
    steps,
    transitions,
    triggerType,
    triggerConfig,
    allowReentry,
    entry,
    timeZone,
    goals,
    exits,
    description,
  } = await getWorkflow.run(project.ctx, { id });
  const keyOf = new Map(steps.map((step) => [step.id, step.key]));
  return {
    triggerType,
    triggerConfig,
    allowReentry,
    entry,
    timeZone,
    goals,
    exits,
    description,
    steps: steps
      .map(({ key, type, name, position, config, templateId }) => ({
        key,
        type,
        name,
        position,
        config,
        templateId,
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    transitions: transitions
      .map(({ fromStepId, toStepId, branch, waitOutcome, priority }) =>
        JSON.stringify([keyOf.get(fromStepId), keyOf.get(toStepId), branch, waitOutcome, priority]),
      )
      .sort(),
  };
}

describe('a document', () => {
  it('and its spelling in TypeScript bring generated definitions back as they were', async () => {
    const templateId = await template('welcome');
    const named = await namedRecords();
    for (let seed = 1; seed <= runs(60); seed += 1) {
      const id = await build(seed, templateId, named);
      const text = await textOf(id);
      const made = evaluate(await textOf(id, 'typescript'));
      expect(made).toEqual(JSON.parse(text));
      const copy = await importWorkflow.runRaw(project.ctx, made);
      if (!copy || typeof copy !== 'object' || !('id' in copy)) throw new Error('no copy');
      expect(await canvas(String(copy.id))).toEqual(await canvas(id));
      expect(JSON.parse(await textOf(String(copy.id)))).toEqual({
        ...JSON.parse(text),
        name: `Generated ${seed} "quoted" (2)`,
      });
    }
  }, 600_000);

  it('names the template that has no alias', async () => {
    const templateId = await template(null);
    const { id, steps } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    const [start] = steps;
    if (!start) throw new Error('no trigger');
    await replaceGraph.run(project.ctx, {
      id,
      steps: [
        { id: start.id, type: 'TRIGGER', name: 'x', position: start.position, config: {} },
        { id: newId(), type: 'SEND_EMAIL', name: 'Hello', position: start.position, config: {}, templateId },
      ],
      transitions: [],
    });
    await expect(textOf(id)).rejects.toMatchObject({
      errors: [
        {
          field: 'steps.hello.template',
          code: 'required',
          message: expect.stringContaining('The template T'),
        },
      ],
    });
  });

  it('of another project names all that is missing at once, and creates nothing', async () => {
    const step = (key: string, more: object) => ({ key, type: 'SEND_EMAIL', config: {}, ...more });
    await expect(
      importWorkflow.runRaw(project.ctx, {
        format: 'postrider-workflow/1',
        name: 'W',
        trigger: { type: 'SCHEDULE', cron: '0 9 * * *', segment: 'segment:gone' },
        steps: [
          step('a', { template: 'template:one' }),
          step('b', { template: 'two' }),
          step('b', {}),
          { key: 'c', type: 'DELAY', config: { amount: 1 } },
        ],
        transitions: [{ from: 'trigger', to: 'nowhere' }],
        goals: [{ goal: 'goal:Gone', effect: 'JUMP', toStepKey: 'gone' }],
        exits: [
          {
            name: 'Left',
            condition: {
              logic: 'AND',
              groups: [{ filters: [{ field: 'segment:gone', operator: 'memberOfSegment' }] }],
            },
          },
        ],
      }),
    ).rejects.toMatchObject({
      errors: [
        { field: 'trigger.segment', code: 'unknown_reference' },
        { field: 'steps.0.template', code: 'unknown_reference' },
        { field: 'steps.1.template', code: 'unknown_reference' },
        { field: 'steps.2.key', code: 'custom' },
        { field: 'steps.3.config.unit', code: 'required' },
        { field: 'transitions.0.to', code: 'unknown_reference' },
        { field: 'goals.0.toStepKey', code: 'unknown_reference' },
        { field: 'goals.0.goal', code: 'unknown_reference' },
        { field: 'exits.0.condition.groups.0.filters.0.field', code: 'unknown_reference' },
      ],
    });
    expect(await prisma().workflow.count({ where: { projectId: project.id } })).toBe(0);
  });

  it('names what its filters refer to, and keeps its alias where that is free', async () => {
    const [vip, gone] = [newId(), newId()];
    await prisma().segment.create({ data: { id: vip, projectId: project.id, name: 'VIP', slug: 'v-i-p' } });
    const welcome = await template('welcome');
    const { id: other } = await createWorkflow.run(project.ctx, { name: 'Other', eventName: 'e' });
    await updateWorkflow.run(project.ctx, { id: other, alias: 'other' });
    const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    const sentBy = (property: string, value: unknown) => ({
      field: 'email.sent',
      operator: 'occurred',
      where: [{ property, operator: Array.isArray(value) ? 'isAnyOf' : 'equals', value }],
    });
    const member = { field: `segment.${vip}`, operator: 'memberOfSegment' };
    const filter = {
      logic: 'OR',
      groups: [
        {
          filters: [member],
          conditions: { logic: 'AND', groups: [{ filters: [sentBy('templateId', [welcome])] }] },
        },
        { filters: [sentBy('workflowId', other)] },
      ],
    };
    const given = { id, alias: 'first', entry: { filter } };
    await updateWorkflow.runRaw(project.ctx, given);
    const text = await textOf(id);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    expect(JSON.parse(text)).toMatchObject({ alias: 'first' });
    const copy = await importWorkflow.runRaw(project.ctx, evaluate(await textOf(id, 'typescript')));
    expect(copy).toMatchObject({ alias: null, entry: { filter, limit: null, every: null } });
    const elsewhere = await createTestProject(test.services);
    await expect(importWorkflow.runRaw(elsewhere.ctx, JSON.parse(text))).rejects.toMatchObject({
      errors: [
        {
          field: 'entry.filter.groups.0.filters.0.field',
          code: 'unknown_reference',
          received: 'segment:v-i-p',
        },
        {
          field: 'entry.filter.groups.0.conditions.groups.0.filters.0.where.0.value.0',
          received: 'template:welcome',
        },
        { field: 'entry.filter.groups.1.filters.0.where.0.value', received: 'workflow:other' },
      ],
    });
    // An id is no name, nor is that of another project, and what is no tree is refused as one.
    for (const [named, code] of [
      [{ ...filter, groups: [{ filters: [{ ...member, field: `segment.${gone}` }] }] }, 'unknown_reference'],
      [{ logic: 'AND', groups: 'x' }, 'invalid_type'],
      [{ logic: 'AND', groups: [{ filters: [{ field: 7 }] }] }, 'invalid_type'],
    ] as const)
      await expect(
        importWorkflow.runRaw(project.ctx, { ...JSON.parse(text), entry: { filter: named } }),
      ).rejects.toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ code })]) });
    await updateWorkflow.run(project.ctx, { id: other, alias: null });
    await expect(textOf(id)).rejects.toMatchObject({
      errors: [{ field: 'entry.filter.groups.1.filters.0.where.0.value', code: 'required' }],
    });
  });

  it('names what its conditions refer to, at the place where it is missing', async () => {
    const tree = (...filters: object[]) => ({ logic: 'AND', groups: [{ filters }] });
    const vip = { field: 'segment:vip', operator: 'memberOfSegment' };
    const clicked = {
      ...{ field: 'email.clicked', operator: 'triggered' },
      where: [{ property: 'templateId', operator: 'isAnyOf', value: ['template:welcome', 'template:gone'] }],
    };
    const ask = (...filters: object[]) => ({
      ...{ key: 'ask', type: 'CONDITION', config: { condition: tree(...filters) } },
    });
    const document = (...filters: object[]) => ({
      ...{ format: 'postrider-workflow/1', name: 'W', trigger: { type: 'EVENT', eventName: 'signup' } },
      ...{ steps: [ask(...filters)], transitions: [{ from: 'trigger', to: 'ask' }] },
    });
    const templateId = await template('welcome');
    const at = 'steps.0.config.condition.groups.0.filters';
    await expect(
      importWorkflow.runRaw(
        project.ctx,
        document(vip, clicked, { field: 'step.later.branch', operator: 'exists' }),
      ),
    ).rejects.toMatchObject({
      errors: [
        { field: `${at}.0.field`, code: 'unknown_reference', received: 'segment:vip' },
        { field: `${at}.1.where.0.value.1`, code: 'unknown_reference', received: 'template:gone' },
        { field: `${at}.2.field`, code: 'unknown_reference', received: 'step.later.branch' },
      ],
    });
    const segment = await prisma().segment.create({
      data: { id: newId(), projectId: project.id, name: 'VIP', slug: 'vip' },
    });
    const ofWelcome = {
      ...clicked,
      where: [{ property: 'templateId', operator: 'isAnyOf', value: ['template:welcome'] }],
    };
    const { id, steps } = await importWorkflow.run(project.ctx, document(vip, ofWelcome) as never);
    expect(steps.find(({ key }) => key === 'ask')?.config).toEqual({
      condition: tree(
        { ...vip, field: `segment.${segment.id}` },
        { ...clicked, where: [{ property: 'templateId', operator: 'isAnyOf', value: [templateId] }] },
      ),
    });
    expect(JSON.parse(await textOf(id)).steps[0].config).toEqual({ condition: tree(vip, ofWelcome) });
  });

  it('is what builders say in a few words', async () => {
    await template('welcome');
    await template('nudge');
    const built = workflow('welcome', { trigger: event('signed up') }, (w) => {
      w.email('hello', 'template:welcome')
        .wait('paid', {
          events: [awaited('order.paid', [eq('orderId', '{{event.orderId}}')]), awaited('order.cancelled')],
          timeout: 86_400,
        })
        .condition('active', filter('event.login', 'occurred', { window: { last: 2, unit: 'days' } }), {
          yes: (y) => y.exit('done'),
          no: (n) =>
            n.condition(
              'read',
              any(
                filter('step.hello.opened', 'occurred'),
                all(filter('context.plan', 'equals', { value: 'pro' })),
              ),
              { no: (again) => again.email('nudge', 'template:nudge') },
            ),
        });
    });
    const { id } = await importWorkflow.run(project.ctx, built as never);
    const { steps } = JSON.parse(await textOf(id));
    const configOf = (key: string) => steps.find((step: { key: string }) => step.key === key).config;
    expect(configOf('paid')).toEqual({
      events: [
        {
          eventName: 'order.paid',
          where: [{ property: 'orderId', operator: 'equals', value: '{{event.orderId}}' }],
        },
        { eventName: 'order.cancelled' },
      ],
      timeout: 86_400,
    });
    const login = { field: 'event.login', operator: 'occurred', window: { last: 2, unit: 'days' } };
    expect(configOf('active')).toEqual({ condition: { logic: 'AND', groups: [{ filters: [login] }] } });
    expect(steps.find((step: { key: string }) => step.key === 'nudge')).toMatchObject({
      template: 'template:nudge',
    });
    expect(JSON.parse(await textOf(id))).toEqual(evaluate(await textOf(id, 'typescript')));
  });

  it('keeps the segment of a schedule by its slug', async () => {
    const segment = await prisma().segment.create({
      data: { id: newId(), projectId: project.id, name: 'VIP', slug: 'vip' },
    });
    const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    await updateWorkflow.run(project.ctx, {
      id,
      triggerType: 'SCHEDULE',
      triggerConfig: { cron: '0 9 * * *', segmentId: segment.id },
    });
    const document = JSON.parse(await textOf(id));
    expect(document.trigger).toEqual({
      type: 'SCHEDULE',
      cron: '0 9 * * *',
      timezone: 'UTC',
      segment: 'segment:vip',
    });
    const { id: copy } = await importWorkflow.run(project.ctx, document);
    expect((await getWorkflow.run(project.ctx, { id: copy })).triggerConfig).toEqual({
      cron: '0 9 * * *',
      timezone: 'UTC',
      segmentId: segment.id,
    });
  });
});
