import { describe, expect, it } from 'vitest';
import { definitionWith, stepNamed } from '../canvas/definition.fixture.ts';
import { insideInWords, problemsAt, waitsDiffer } from './move.rules.ts';

describe('who is inside', () => {
  it('is told by the version that they entered with', () => {
    expect(insideInWords({ active: 0, versions: [] })).toBe('Nobody is inside.');
    expect(insideInWords({ active: 1, versions: [{ version: 2, active: 1 }] })).toBe(
      '1 contact is inside, having entered with version 2.',
    );
    expect(
      insideInWords({
        active: 1_087,
        versions: [6, 5, 4, 3, 2, 1].map((version) => ({ version, active: version === 6 ? 1_082 : 1 })),
      }),
    ).toBe(
      '1,087 contacts are inside: 1,082 entered with version 6, 1 entered with version 5, 1 entered with version 4, 1 entered with version 3, 2 with earlier ones.',
    );
  });
});

const wait = stepNamed('wait', 'DELAY', { amount: 1, unit: 'days' });
const email = stepNamed('hello', 'SEND_EMAIL', {}, { name: 'Say hello' });

describe('the question about times', () => {
  const change = { kind: 'changed', stepKey: 'wait', fields: ['config.amount'], people: 3 } as const;
  const asked = (changes: Parameters<typeof waitsDiffer>[0]['changes']) =>
    waitsDiffer({ changes }, definitionWith([wait, email], []));

  it('is asked only where somebody waits at a step whose waiting changes', () => {
    expect(asked([{ ...change, fields: ['config.amount'] }])).toBe(true);
    expect(asked([{ ...change, fields: ['config.amount'], people: 0 }])).toBe(false);
    expect(asked([{ ...change, fields: ['name'] }])).toBe(false);
    expect(asked([{ ...change, stepKey: 'hello', fields: ['config.recipient'] }])).toBe(false);
    expect(asked([{ ...change, kind: 'removed', fields: [] }])).toBe(false);
  });
});

describe('a problem', () => {
  it('is at its step, in the words of the canvas', () => {
    expect(
      problemsAt(
        [
          { field: 'steps.hello.templateId', message: 'Required' },
          { field: 'steps.wait.config.amount', message: 'At least 1' },
          { field: 'transitions', message: 'This transition would create a loop' },
          { field: 'trigger.segmentId', message: 'The project has no such segment' },
        ],
        definitionWith([wait, email], []),
      ),
    ).toEqual([
      { stepId: 'hello', text: '“Say hello” has no template' },
      { stepId: 'wait', text: '“wait”, amount: At least 1' },
      { stepId: null, text: 'This transition would create a loop' },
      { stepId: null, text: 'trigger.segmentId: The project has no such segment' },
    ]);
  });
});
