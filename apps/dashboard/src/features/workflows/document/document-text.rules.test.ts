import { describe, expect, it } from 'vitest';
import { fileNameOf, isProgram, lineOf, readDocument, UnreadableDocument } from './document-text.rules.ts';

describe('the name of a file', () => {
  it('is made from that of the workflow, in letters that every system takes', () => {
    expect(fileNameOf('Welcome séries / 2', 'json')).toBe('welcome-series-2.workflow.json');
    expect(fileNameOf('Welcome', 'typescript')).toBe('welcome.workflow.ts');
    expect(fileNameOf('///', 'json')).toBe('workflow.workflow.json');
  });
});

describe('a pasted text', () => {
  it('is read if it is a JSON object', () => {
    expect(readDocument('{"format": "postrider-workflow/1"}')).toEqual({ format: 'postrider-workflow/1' });
  });

  it.each([
    ['  ', /Choose a file/],
    ['[1]', /JSON object/],
    ['null', /JSON object/],
    ['{"a": }', /not JSON/],
    [`{"a": "${'x'.repeat(2_000_000)}"}`, /too large/],
  ])('is refused with what to do: %.20s', (text, message) => {
    expect(() => readDocument(text)).toThrow(UnreadableDocument);
    expect(() => readDocument(text)).toThrow(message);
  });
});

it('a program is told from a document by its beginning', () => {
  expect(isProgram("import { workflow } from '@postrider/sdk/workflow';")).toBe(true);
  expect(isProgram('\n// Ours\nexport default workflow')).toBe(true);
  expect(isProgram(' {"format": "import"}')).toBe(false);
});

describe('the line of a path', () => {
  const text = `{
  "name": "Say \\"hi\\", twice",
  "steps": [
    { "key": "a", "config": { "x": [1, [2, 3], { "template": 1 }] } },
    {
      "key": "b",
      "template": "template:b"
    }
  ],
  "empty": [],
  "transitions": [{ "from": "trigger", "to": "a" },
    { "from": "a",
      "to": "b" }]
}`;

  it.each([
    ['name', 2],
    ['steps', 3],
    ['steps.0.config', 4],
    ['steps.1', 5],
    ['steps.1.template', 7],
    ['transitions.0.to', 11],
    ['transitions.1', 12],
    ['transitions.1.to', 13],
    // The last part that is there.
    ['steps.1.config.amount', 5],
    ['empty.0', 10],
    ['nothing', 1],
  ])('%s is on line %d', (path, line) => {
    expect(lineOf(text, path)).toBe(line);
  });

  it('is found in a text of one line, and in a long one without a square of its length', () => {
    expect(lineOf('{"steps":[{"key":"a"}]}', 'steps.0.key')).toBe(1);
    const long = `{\n"steps": [\n${Array.from({ length: 20_000 }, (_, n) => `{"key": "s${n}"}`).join(',\n')}\n]}`;
    expect(lineOf(long, 'steps.19999.key')).toBe(20_002);
  });
});
