import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { StepType } from './steps/steps.schema.ts';
import {
  autoConnection,
  type Graph,
  type GraphTransition,
  lostWith,
  reachableFrom,
  readsOfStep,
  strandedBy,
  transitionProblem,
} from './workflows.rules.ts';

/** `a>b`, or `a>b:yes` for a branch, `a>b!TIMEOUT` for an outcome. */
function graph(steps: Record<string, StepType | [StepType, unknown]>, ...arrows: string[]): Graph {
  return {
    steps: Object.entries(steps).map(([id, given]) => {
      const [type, config] = typeof given === 'string' ? [given, {}] : given;
      return { id, type, config };
    }),
    transitions: arrows.map(arrow),
  };
}

function arrow(text: string): GraphTransition {
  const [, fromStepId = '', toStepId = '', branch = null, waitOutcome = null] =
    /^(\w+)>(\w+)(?::(\w+))?(?:!(\w+))?$/.exec(text) ?? [];
  return {
    id: text,
    fromStepId,
    toStepId,
    branch,
    waitOutcome: waitOutcome as GraphTransition['waitOutcome'],
  };
}

describe('the steps deleted with a step', () => {
  const chain = graph(
    { t: 'TRIGGER', c: 'CONDITION', a: 'DELAY', b: 'DELAY', join: 'DELAY', end: 'EXIT', alone: 'DELAY' },
    't>c',
    'c>a:yes',
    'c>b:no',
    'a>join',
    'b>join',
    'join>end',
  );

  it.each([
    ['a', ['a']],
    ['c', ['c', 'a', 'b', 'join', 'end']],
    ['join', ['join', 'end']],
    ['end', ['end']],
    ['alone', ['alone']],
  ])('%s: what only it leads to', (step, lost) => {
    expect([...lostWith(step, chain)].sort()).toEqual([...lost].sort());
  });

  it('never include a step that a remaining step leads to, nor the TRIGGER', () => {
    fc.assert(
      fc.property(anyTree(), fc.nat(), ({ steps, transitions }, pick) => {
        const inner = steps.slice(1);
        const step = inner[pick % inner.length];
        if (!step) return;
        const lost = lostWith(step.id, { steps, transitions });
        expect(lost.has('0')).toBe(false);
        for (const { fromStepId, toStepId } of transitions) {
          if (!lost.has(fromStepId) && toStepId !== step.id) expect(lost.has(toStepId)).toBe(false);
        }
        const behind = reachableFrom([step.id], transitions);
        for (const id of lost) expect(id === step.id || behind.has(id)).toBe(true);
      }),
    );
  });
});

/** Steps `0` (the TRIGGER) to `n`, transitions only from lower to higher ones. */
const anyTree = (): fc.Arbitrary<Graph> =>
  fc.integer({ min: 2, max: 12 }).chain((size) =>
    fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 30 }).map((pairs) => ({
      steps: Array.from({ length: size }, (_, index) => ({
        id: String(index),
        type: index === 0 ? ('TRIGGER' as const) : ('DELAY' as const),
        config: {},
      })),
      transitions: pairs.filter(([from, to]) => from < to).map(([from, to]) => arrow(`${from}>${to}`)),
    })),
  );

describe('a transition', () => {
  const multi = { mode: 'multi', field: 'data.a', branches: [{ id: 'gold' }, { id: 'silver' }] };
  const base = graph(
    {
      t: 'TRIGGER',
      c: ['CONDITION', { field: 'data.a' }],
      m: ['CONDITION', multi],
      w: ['WAIT_FOR_EVENT', { eventName: 'x' }],
      wt: ['WAIT_FOR_EVENT', { eventName: 'x', timeout: 5 }],
      d: 'DELAY',
      end: 'EXIT',
    },
    't>c',
    'c>d:yes',
    'wt>d!EVENT',
  );

  it.each([
    ['d>d', 'A step cannot lead to itself'],
    ['end>d', 'A step of type EXIT cannot have a transition'],
    ['d>t', 'A transition cannot lead to the TRIGGER step'],
    ['d>c', 'This transition would create a loop'],
    ['t>d', 'This step already has a transition'],
    ['c>w', 'A transition from a CONDITION step needs a branch'],
    ['c>w:maybe', 'The branch must be one of yes, no'],
    ['c>w:yes', 'The branch yes already has a transition'],
    ['m>w:yes', 'The branch must be one of gold, silver, default'],
    ['d>end:yes', 'Only a CONDITION or SPLIT step has branches'],
    ['d>end!EVENT', 'Only a WAIT_FOR_EVENT step has outcomes'],
    ['w>d!TIMEOUT', 'This step has no timeout'],
    ['wt>end!EVENT', 'This outcome already has a transition'],
    ['wt>end', 'A transition for both outcomes must be the only one'],
  ])('%s is refused: %s', (text, problem) => {
    expect(transitionProblem(base, arrow(text))).toBe(problem);
  });

  it.each(['d>end', 'c>w:no', 'c>d:no', 'm>d:default', 'w>d', 'w>d!EVENT', 'wt>end!TIMEOUT'])(
    '%s is fine',
    (text) => {
      expect(transitionProblem(base, arrow(text))).toBeNull();
    },
  );

  it('for one outcome is refused next to one for both', () => {
    const both = graph({ w: ['WAIT_FOR_EVENT', { timeout: 5 }], d: 'DELAY' }, 'w>d');
    expect(transitionProblem(both, arrow('w>d!TIMEOUT'))).toBe(
      'A transition for both outcomes must be the only one',
    );
  });
});

describe('the step that a new one is connected to', () => {
  it('is the newest without a transition that is not an EXIT', () => {
    const found = autoConnection(graph({ t: 'TRIGGER', a: 'DELAY', b: 'DELAY', end: 'EXIT' }, 't>b'), 'new');
    expect(found).toEqual({ fromStepId: 'b', toStepId: 'new', branch: null, waitOutcome: null });
  });

  it('is connected by its first branch if it is a CONDITION', () => {
    const multi = { mode: 'multi', branches: [{ id: 'gold' }] };
    expect(autoConnection(graph({ c: 'CONDITION' }), 'new')?.branch).toBe('yes');
    expect(autoConnection(graph({ c: ['CONDITION', multi] }), 'new')?.branch).toBe('gold');
  });

  it('does not exist when every step has a transition or is an EXIT', () => {
    expect(autoConnection(graph({ t: 'TRIGGER', end: 'EXIT' }, 't>end'), 'new')).toBeNull();
  });
});

describe('a configuration that would strand a transition', () => {
  it.each<[StepType, unknown, string, boolean]>([
    ['CONDITION', { mode: 'multi', branches: [{ id: 'a' }] }, 'c>d:yes', true],
    ['CONDITION', { mode: 'multi', branches: [{ id: 'a' }] }, 'c>d:default', false],
    ['WAIT_FOR_EVENT', { eventName: 'x' }, 'c>d!TIMEOUT', true],
    ['WAIT_FOR_EVENT', { eventName: 'x', timeout: 1 }, 'c>d!TIMEOUT', false],
    ['WAIT_FOR_EVENT', { eventName: 'x' }, 'c>d', false],
  ])('%s %j with %s: %s', (type, config, text, stranded) => {
    expect(strandedBy(type, config, [arrow(text)]) !== null).toBe(stranded);
  });
});

it.each<[StepType, unknown, string[]]>([
  ['CONDITION', { field: 'contact.data.plan' }, ['data.plan']],
  ['CONDITION', { field: 'data.plan' }, ['data.plan']],
  ['CONDITION', { field: 'contact.subscribed' }, ['subscribed']],
  ['CONDITION', { field: 'event.paid' }, ['event.paid']],
  ['CONDITION', { field: 'workflow.paid' }, []],
  ['WAIT_FOR_EVENT', { eventName: 'paid' }, ['event.paid']],
  [
    'UPDATE_CONTACT',
    { data: { a: 1, b: null }, subscriptionAction: 'unsubscribe' },
    ['data.a', 'data.b', 'subscribed'],
  ],
  ['DELAY', { amount: 1, unit: 'days' }, []],
])('%s %j names %j', (type, config, reads) => {
  expect(readsOfStep(type, config)).toEqual(reads);
});
