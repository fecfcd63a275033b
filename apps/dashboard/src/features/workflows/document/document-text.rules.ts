/** Texts of workflow documents, as they are downloaded, pasted and uploaded. */

const extensions = { json: 'workflow.json', typescript: 'workflow.ts' } as const;

/** `welcome-series.workflow.json` */
export function fileNameOf(name: string, format: keyof typeof extensions): string {
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return `${plain || 'workflow'}.${extensions[format]}`;
}

/** A text that is no document. The message says what to do. */
export class UnreadableDocument extends Error {}

/** Longer texts are no documents: a definition has at most 300 kB. */
const longest = 2_000_000;

/** @throws UnreadableDocument */
export function assertLength(text: string): void {
  if (text.trim() === '') throw new UnreadableDocument('Choose a file, or paste a document');
  if (text.length > longest)
    throw new UnreadableDocument('The document is too large: a workflow has at most 300 kB');
}

/** Reads a document in JSON. @throws UnreadableDocument */
export function readDocument(text: string): Record<string, unknown> {
  assertLength(text);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new UnreadableDocument(
      `This is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new UnreadableDocument('A document is a JSON object: {"format": "postrider-workflow/1", …}');
  return document as Record<string, unknown>;
}

/** Whether a text is a program that makes a document, in JavaScript or TypeScript. */
export const isProgram = (text: string): boolean => /^\s*(?:import|export|\/\/|\/\*)/.test(text);

interface Level {
  isArray: boolean;
  /** of the present value: its key, or its index */
  key: string;
  /** whether the path goes through the present value */
  matches: boolean;
}

/**
 * The line on which the value at a path begins, from 1. Of a path that leads to what the text does not have, that of the last part that is
 * there.
 *
 * @param text valid JSON
 * @param path as the API names fields: `steps.0.template`
 */
export function lineOf(text: string, path: string): number {
  const wanted = path.split('.');
  const open: Level[] = [];
  const found = { line: 1, depth: 0 };
  let line = 1;
  let expects: 'key' | 'element' | null = null;
  /** The present value of the innermost level begins here. */
  const begin = (level: Level): void => {
    const depth = open.length;
    level.matches = (depth === 1 || open[depth - 2]?.matches === true) && level.key === wanted[depth - 1];
    if (level.matches && depth > found.depth) Object.assign(found, { line, depth });
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\n') line += 1;
    if (/\s/.test(char)) continue;
    const top = open.at(-1);
    if (expects === 'element' && char !== ']' && top) {
      begin(top);
      expects = null;
    }
    if (char === '"') {
      const end = endOfText(text, at);
      if (expects === 'key' && top) {
        top.key = String(JSON.parse(text.slice(at, end + 1)));
        begin(top);
        expects = null;
      }
      at = end;
    } else if (char === '{' || char === '[') {
      const isArray = char === '[';
      open.push({ isArray, key: isArray ? '0' : '', matches: false });
      expects = isArray ? 'element' : 'key';
    } else if (char === '}' || char === ']') {
      open.pop();
      expects = null;
    } else if (char === ',' && top) {
      if (top.isArray) top.key = String(Number(top.key) + 1);
      expects = top.isArray ? 'element' : 'key';
    }
  }
  return found.line;
}

/** The place of the quotation mark that ends a text of JSON. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
