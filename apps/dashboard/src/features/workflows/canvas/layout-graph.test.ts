import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { WorkflowStep, WorkflowTransition } from '../../../lib/api.ts';
import { layoutGraph, linePath, stepSizes } from './layout-graph.ts';

const stepSize = stepSizes.short;
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

const transition = (
  fromStepId: string,
  toStepId: string,
  way: Partial<Pick<WorkflowTransition, 'branch' | 'waitOutcome'>> = {},
): WorkflowTransition => ({
  id: `${fromStepId} to ${toStepId} by ${way.branch ?? way.waitOutcome ?? 'next'}`,
  workflowId: 'w',
  fromStepId,
  toStepId,
  branch: null,
  waitOutcome: null,
  priority: 0,
  createdAt: at,
  updatedAt: at,
  ...way,
});

const fork = [
  step('trigger', 'TRIGGER'),
  step('fork', 'CONDITION', { field: 'data.plan', operator: 'exists' }),
  step('left', 'EXIT'),
  step('right', 'EXIT'),
];

describe('the layout', () => {
  it('places following steps below, and branches from left to right in their order', () => {
    const { steps } = layoutGraph(fork, [
      transition('trigger', 'fork'),
      transition('fork', 'right', { branch: 'no' }),
      transition('fork', 'left', { branch: 'yes' }),
    ]);
    const [trigger, condition, left, right] = steps;
    expect(condition?.at.y).toBeGreaterThan((trigger?.at.y ?? 0) + stepSize.height);
    expect(left?.at.y).toBe(right?.at.y);
    expect(left?.at.x).toBeLessThan((right?.at.x ?? 0) - stepSize.width);
    expect(condition?.outlets.map(({ outlet }) => outlet.branch)).toEqual(['yes', 'no']);
  });

  it('gives every outlet without a transition an end, where a step can be added', () => {
    const transitions = [transition('trigger', 'fork'), transition('fork', 'left', { branch: 'yes' })];
    expect(layoutGraph(fork, transitions).ends).toEqual([]);
    const { ends } = layoutGraph(fork, transitions, { withEnds: true });
    expect(ends.map(({ from, outlet }) => [from.id, outlet.label])).toEqual([['fork', 'no']]);
  });

  it('shows the outcomes of a wait: one without a timeout, two with one', () => {
    const labels = (config: WorkflowStep['config'], transitions: WorkflowTransition[] = []) =>
      layoutGraph([step('wait', 'WAIT_FOR_EVENT', config), step('next', 'EXIT')], transitions, {
        withEnds: true,
      })
        .edges.map(({ outlet }) => outlet.label)
        .sort();
    expect(labels({ eventName: 'paid' })).toEqual(['event']);
    expect(labels({ eventName: 'paid', timeout: 60 })).toEqual(['event', 'timeout']);
    expect(labels({ eventName: 'paid', timeout: 60 }, [transition('wait', 'next')])).toEqual([
      'event or timeout',
    ]);
  });

  it('never lets two steps overlap', () => {
    // A graph without loops: a step leads only to later ones.
    const graph = fc.integer({ min: 1, max: 25 }).chain((count) =>
      fc.tuple(
        fc.constant(count),
        fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1), fc.constantFrom('yes', 'no')), {
          maxLength: 40,
        }),
      ),
    );
    fc.assert(
      fc.property(graph, ([count, pairs]) => {
        const steps = Array.from({ length: count }, (_, index) => step(`s${index}`, 'CONDITION'));
        const ways = new Map(
          pairs
            .filter(([from, to]) => from < to)
            .map(([from, to, branch]) => [`${from} ${branch}`, transition(`s${from}`, `s${to}`, { branch })]),
        );
        const placed = layoutGraph(steps, [...ways.values()], { withEnds: true });
        for (const [index, a] of placed.steps.entries()) {
          for (const b of placed.steps.slice(index + 1)) {
            const apart =
              Math.abs(a.at.x - b.at.x) >= stepSize.width || Math.abs(a.at.y - b.at.y) >= stepSize.height;
            expect(apart).toBe(true);
          }
        }
        expect(placed.edges).toHaveLength(count * 2);
        expect(placed.edges.every(({ points }) => linePath(points).startsWith('M '))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
