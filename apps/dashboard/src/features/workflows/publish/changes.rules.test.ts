import { describe, expect, it } from 'vitest';
import { definitionWith, stepNamed, wayFrom } from '../canvas/definition.fixture.ts';
import { changesBetween, joinedMarks, marksOfChanges, nextKept } from './changes.rules.ts';

const wait = stepNamed('wait', 'DELAY', { amount: 1, unit: 'days' });
const hello = stepNamed(
  'hello',
  'SEND_EMAIL',
  {},
  { templateId: 't1', template: { id: 't1', name: 'Hello' } },
);
const done = stepNamed('done', 'EXIT', {});
const before = definitionWith(
  [wait, hello, done],
  [wayFrom('trigger', 'wait'), wayFrom('wait', 'hello'), wayFrom('hello', 'done')],
);
const wordsOf = (after: typeof before) =>
  changesBetween(before, after).map(({ kind, name, details }) => [kind, name, ...details]);

describe('what a definition changes', () => {
  it('is nothing in itself, in whatever order its parts are', () => {
    expect(changesBetween(before, { ...before, steps: [...before.steps].reverse() })).toEqual([]);
  });

  it('is one row for each step: new settings beside the old ones, and where it leads now', () => {
    const longer = { ...wait, name: 'Wait longer', config: { amount: 3, unit: 'days' } };
    expect(
      wordsOf({
        ...before,
        steps: before.steps.map((step) => (step.id === 'wait' ? longer : step)),
        transitions: [wayFrom('trigger', 'hello'), wayFrom('hello', 'wait'), wayFrom('wait', 'done')],
      }),
    ).toEqual([
      ['changed', 'Wait longer', 'Renamed from “wait”', 'Delay: 1 day → Delay: 3 days', 'leads to “done”'],
      ['changed', 'trigger', 'leads to “hello”'],
      ['changed', 'hello', 'leads to “Wait longer”'],
    ]);
  });

  it('names what is added and removed by what it does', () => {
    const nudge = stepNamed('nudge', 'WAIT_FOR_EVENT', { eventName: 'paid', timeout: 86_400 });
    const rows = changesBetween(
      before,
      definitionWith([hello, done, nudge], [wayFrom('trigger', 'hello'), wayFrom('hello', 'nudge')]),
    );
    expect(rows.map(({ kind, name }) => [kind, name])).toEqual([
      ['added', 'nudge'],
      ['removed', 'wait'],
      // That the email leads elsewhere follows from the new step.
    ]);
    expect(rows.find(({ name }) => name === 'wait')?.details).toEqual(['Delay: 1 day']);
    expect(rows.find(({ name }) => name === 'nudge')?.details.at(-1)).toBe('After “hello”');
  });

  it('says where another template is sent, and who may enter', () => {
    const other = { ...hello, templateId: 't2', template: { id: 't2', name: 'Hi' } };
    expect(
      wordsOf({
        ...before,
        allowReentry: true,
        triggerConfig: { eventName: 'paid' },
        steps: before.steps.map((step) => (step.id === 'hello' ? other : step)),
      }),
    ).toEqual([
      ['changed', 'hello', 'Send email: Hello → Send email: Hi'],
      ['changed', 'Trigger', 'Event: signed up → Event: paid'],
      ['changed', 'Re-entry', 'Contacts may enter again after finishing'],
    ]);
  });

  it('is marked on the steps that are still there', () => {
    const after = definitionWith(
      [hello, stepNamed('new', 'EXIT')],
      [wayFrom('trigger', 'hello'), wayFrom('hello', 'new')],
    );
    const marks = marksOfChanges(changesBetween(before, after));
    expect(Object.keys(marks).sort()).toEqual(['new']);
    expect(marks['new']?.map(({ text }) => text)).toEqual(['new']);
    expect(joinedMarks(marks, { new: [{ tone: 'calm', text: '2 completed' }] })['new']).toHaveLength(2);
  });
});

describe('who is at a step that is gone', () => {
  it('goes on at the first step behind it that is still there', () => {
    expect(nextKept('wait', before, definitionWith([hello, done], []))).toBe('hello');
    expect(nextKept('wait', before, definitionWith([done], []))).toBe('done');
  });

  it('has no place where nothing behind it is left, or the step is of an earlier version', () => {
    expect(nextKept('wait', before, definitionWith([], []))).toBeNull();
    expect(nextKept('older', before, definitionWith([hello], []))).toBeNull();
  });
});
