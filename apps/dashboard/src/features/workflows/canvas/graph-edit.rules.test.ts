import { expect, it } from 'vitest';
import type { Workflow, WorkflowStep, WorkflowTransition } from '../../../lib/api.ts';
import { shareOf, takenBy } from '../steps/outlets.rules.ts';
import {
  canInsert,
  draftOf,
  firstFreePlace,
  freeName,
  isSameGraph,
  placeAfter,
  withConnection,
  withoutConnection,
  withStep,
} from './graph-edit.rules.ts';

const at = '2026-01-01T00:00:00.000Z';

const step = (id: string, type: WorkflowStep['type'], config: WorkflowStep['config'] = {}): WorkflowStep => ({
  id,
  workflowId: 'w',
  key: id,
  type,
  name: id,
  position: { x: 0, y: 0 },
  config,
  templateId: null,
  template: null,
  outgoingTransitions: [],
  incomingTransitions: [],
  createdAt: at,
  updatedAt: at,
});

const way = (fromStepId: string, toStepId: string, branch: string | null = null): WorkflowTransition => ({
  id: `${fromStepId} ${toStepId}`,
  workflowId: 'w',
  fromStepId,
  toStepId,
  branch,
  waitOutcome: null,
  priority: 0,
  createdAt: at,
  updatedAt: at,
});

const split = step('split', 'CONDITION', { field: 'data.plan', operator: 'exists' });
const graph: Pick<Workflow, 'steps' | 'transitions'> = {
  steps: [step('trigger', 'TRIGGER'), split, step('stop', 'EXIT')],
  transitions: [way('trigger', 'split'), way('split', 'stop', 'yes')],
};
const waysOf = ({ transitions }: ReturnType<typeof draftOf>) =>
  transitions.map(({ fromStepId, toStepId, branch }) => [fromStepId, toStepId, branch]);
const place = (id: string) => {
  const from = graph.steps.find((each) => each.id === id);
  const found = from && placeAfter(from, graph);
  if (!found) throw new Error(`nothing can follow ${id}`);
  return found;
};

it('a copy goes to the first free way out of a step, or before what follows it', () => {
  expect(waysOf(withStep(graph, place('split'), split, 'new'))).toEqual([
    ['trigger', 'split', null],
    ['split', 'stop', 'yes'],
    ['split', 'new', 'no'],
  ]);
  expect(waysOf(withStep(graph, place('trigger'), split, 'new'))).toEqual([
    ['split', 'stop', 'yes'],
    ['trigger', 'new', null],
    ['new', 'split', 'yes'],
  ]);
});

it('nothing follows an exit, and an exit is inserted at ends only', () => {
  expect(placeAfter(step('stop', 'EXIT'), graph)).toBeNull();
  expect(canInsert('EXIT', place('trigger'))).toBe(false);
  expect(canInsert('EXIT', place('split'))).toBe(true);
  expect(canInsert('TRIGGER', place('split'))).toBe(false);
});

it('without a selection, a copy goes to the first free end', () => {
  expect(firstFreePlace(graph)).toMatchObject({ from: { id: 'split' }, outlet: { branch: 'no' } });
  const whole = { ...graph, transitions: [...graph.transitions, way('split', 'stop', 'no')] };
  expect(firstFreePlace(whole)).toBeNull();
});

it('two graphs are the same whatever their order, and whatever the trigger is', () => {
  const draft = draftOf(graph);
  const shuffled = { steps: draft.steps.toReversed(), transitions: draft.transitions.toReversed() };
  const retriggered = {
    ...draft,
    steps: draft.steps.map((each) => (each.type === 'TRIGGER' ? { ...each, name: 'Other' } : each)),
  };
  const renamed = {
    ...draft,
    steps: draft.steps.map((each) => (each.id === 'stop' ? { ...each, name: 'Other' } : each)),
  };
  expect(isSameGraph(draft, shuffled)).toBe(true);
  expect(isSameGraph(draft, retriggered)).toBe(true);
  expect(isSameGraph(draft, renamed)).toBe(false);
});

it('a copy has a name of its own', () => {
  expect(freeName('stop', graph)).toBe('stop 2');
  expect(freeName('new', graph)).toBe('new');
  expect(freeName('stop 2', { steps: [step('stop 2', 'EXIT')] })).toBe('stop 3');
});

it('a way out has the number of executions that took it; one for every outcome has their sum', () => {
  const taken = (branch: string | null, waitOutcome: 'EVENT' | 'TIMEOUT' | null, count: number) => ({
    stepId: 'split',
    branch,
    waitOutcome,
    taken: count,
    share: count * 10,
  });
  const branches = [taken('yes', null, 3), taken('no', null, 1)];
  const outcomes = [taken(null, 'EVENT', 2), taken(null, 'TIMEOUT', 5)];
  expect(takenBy('split', { branch: 'no', waitOutcome: null }, branches)).toBe(1);
  expect(takenBy('split', { branch: null, waitOutcome: 'TIMEOUT' }, outcomes)).toBe(5);
  expect(takenBy('split', { branch: null, waitOutcome: null }, outcomes)).toBe(7);
  expect(shareOf('split', { branch: null, waitOutcome: null }, outcomes)).toBe(70);
  expect(takenBy('other', { branch: 'no', waitOutcome: null }, branches)).toBe(0);
});

it('a connection leaves by the way out from which it is drawn, and goes alone', () => {
  const stop = graph.steps.find(({ id }) => id === 'stop');
  const free = placeAfter(split, graph);
  if (!stop || !free) throw new Error('the graph has a free way');
  const connected = withConnection(graph, { from: split, outlet: free.outlet }, stop.id);
  expect(waysOf(connected)).toEqual([...waysOf(draftOf(graph)), ['split', 'stop', 'no']]);
  expect(waysOf(withoutConnection(graph, 'split stop'))).toEqual([['trigger', 'split', null]]);
  expect(withoutConnection(graph, 'split stop').steps).toHaveLength(3);
});
