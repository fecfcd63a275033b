import { describe, expect, it } from 'vitest';
import { UnreadableDocument } from './document-text.rules.ts';
import { readProgram } from './read-program.ts';

const document = {
  format: 'postrider-workflow/1' as const,
  name: 'Welcome “all”',
  trigger: { type: 'EVENT', eventName: 'signed up' },
  steps: [
    {
      key: 'wait',
      type: 'WAIT_FOR_EVENT',
      config: { eventName: 'paid', timeout: 3_600 },
      position: { x: -10, y: 2.5 },
    },
    { key: 'thanks', type: 'SEND_EMAIL', name: 'Thanks', config: {}, template: 'template:thanks' },
    {
      key: 'odd',
      type: 'UPDATE_CONTACT',
      config: { data: JSON.parse('{"__proto__": {"a": null}, "b-c": [true]}') },
    },
    { key: 'end', type: 'EXIT', config: {} },
  ],
  transitions: [
    { from: 'trigger', to: 'wait' },
    { from: 'wait', to: 'thanks', outcome: 'EVENT' as const },
    { from: 'thanks', to: 'end' },
    { from: 'wait', to: 'odd', outcome: 'TIMEOUT' as const },
    { from: 'odd', to: 'end' },
  ],
};

/** As the API exports it. */
const program = `import { workflow } from '@postrider/sdk/workflow';

export default workflow("Welcome “all”", { trigger: { eventName: "signed up", type: "EVENT" } }, (w) => {
  w
    .wait("wait", { eventName: "paid", timeout: 3600 }, [
      ["EVENT", (x) => x
        .email("thanks", {}, [], { name: "Thanks", template: "template:thanks" })
        .exit("end", {})],
      ["TIMEOUT", (x) => x
        .update("odd", { data: { ["__proto__"]: { a: null }, "b-c": [true] } })
        .goTo("end")],
    ], { at: [-10, 2.5] });
});
`;

const from = "import { workflow, event } from '@postrider/sdk/workflow';\n";

describe('a program of the builders', () => {
  it('is read as the document that it makes', () => {
    const read = readProgram(program) as typeof document;
    const inOrder = (given: typeof document) => ({
      ...given,
      steps: given.steps.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      transitions: given.transitions.map((each) => JSON.stringify(each, Object.keys(each).sort())).sort(),
    });
    expect(inOrder(read)).toEqual(inOrder(document));
    expect(Object.keys(read.steps.find(({ key }) => key === 'odd')?.config['data'] ?? {})).toEqual([
      '__proto__',
      'b-c',
    ]);
  });

  it('may name values, and call the builders by other names', () => {
    const text = `import { workflow as w, event } from '@postrider/sdk/workflow';
      const days = 2;
      const pause = (x) => x.delay('pause', { amount: days, unit: \`days\` });
      export default w('A', { trigger: event('b') }, (x) => { pause(x); });`;
    expect(readProgram(text)).toMatchObject({ name: 'A', steps: [{ key: 'pause', config: { amount: 2 } }] });
  });

  it.each([
    ['nothing exported', from, /exports no workflow/],
    ['a syntax error', `${from}export default workflow('A', {`, /Line 2: this cannot be read/],
    ['types', `${from}const a: string = 'b';`, /Line 2: this cannot be read/],
    ['another module', "import fs from 'node:fs';", /Line 1: only @postrider\/sdk\/workflow/],
    ['what the module has not', "import { fetch } from '@postrider/sdk/workflow';", /has no fetch/],
    ['the class of chains', "import { Chain } from '@postrider/sdk/workflow';", /has no Chain/],
    ['a global name', `${from}export default fetch('/users');`, /Line 2: there is no fetch here/],
    [
      'a constructor',
      `${from}export default workflow('A', { trigger: event('b') }, (w) => w.constructor('alert(1)')());`,
      /there is no constructor here/,
    ],
    ['a method of a value', `${from}export default 'a'.at(0);`, /there is no at here/],
    [
      'a computed method',
      `${from}export default workflow('A', { trigger: event('b') }, (w) => w['exit']('a'));`,
      /there is no .* here/,
    ],
    ['a loop', `${from}for (;;) {}`, /Line 2: only calls of the builders/],
    ['a spread', `${from}export default workflow('A', { ...event('b') });`, /only calls of the builders/],
    ['a getter', `${from}export default { get a() { return 1; } };`, /only calls of the builders/],
    ['a regular expression', `${from}export default /(a+)+b/;`, /only calls of the builders/],
    [
      'an endless recursion',
      `${from}const f = (g) => g(g);\nexport default f(f);`,
      /too much for a workflow/,
    ],
    [
      'deep nesting',
      `${from}export default ${'['.repeat(3_000)}${']'.repeat(3_000)};`,
      /too much|cannot be read/,
    ],
  ])('is refused at its line with %s', (_name, text, message) => {
    expect(() => readProgram(text)).toThrow(UnreadableDocument);
    expect(() => readProgram(text)).toThrow(message);
  });
});
