import { expect, it } from 'vitest';
import { definitionWith, stepNamed, wayFrom } from '../canvas/definition.fixture.ts';
import { listSteps } from './list-steps.rules.ts';

const rowsOf = (definition: Parameters<typeof listSteps>[0]) =>
  listSteps(definition).map(({ step, depth, way, isRepeated }) =>
    [`${'  '.repeat(depth)}${way === null ? '' : `${way}: `}${step.id}`, isRepeated && '(again)']
      .filter(Boolean)
      .join(' '),
  );

it('steps are listed as they are walked through, each branch below its step; where ways meet, the second only says so', () => {
  const definition = definitionWith(
    [
      stepNamed('lost', 'EXIT'),
      stepNamed('paid', 'CONDITION', { field: 'data.plan', operator: 'exists' }),
      stepNamed('thanks', 'SEND_EMAIL'),
      stepNamed('wait', 'DELAY', { amount: 1, unit: 'days' }),
      stepNamed('end', 'EXIT'),
    ],
    [
      wayFrom('trigger', 'paid'),
      wayFrom('paid', 'thanks', { branch: 'yes' }),
      wayFrom('thanks', 'end'),
      wayFrom('paid', 'wait', { branch: 'no' }),
      wayFrom('wait', 'end'),
    ],
  );
  expect(rowsOf(definition)).toEqual([
    'trigger',
    'paid',
    '  yes: thanks',
    '  end',
    '  no: wait',
    '  end (again)',
    'lost',
  ]);
});

it('200 steps in a row are listed, and ways that meet in all of them are walked through once', () => {
  const steps = Array.from({ length: 199 }, (_, n) =>
    stepNamed(`s${n}`, 'CONDITION', { field: 'data.plan', operator: 'exists' }),
  );
  const transitions = steps.flatMap((step, n) => {
    const next = steps[n + 1];
    return next
      ? ['yes', 'no'].map((branch) => ({ ...wayFrom(step.id, next.id, { branch }), id: `${n}${branch}` }))
      : [];
  });
  expect(listSteps(definitionWith(steps, [wayFrom('trigger', 's0'), ...transitions]))).toHaveLength(
    200 + 198,
  );
});
