import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A regular expression that a file writes. */
export interface Pattern {
  /** relative to the root of the repository */
  file: string;
  text: string;
}

/** The code that processes of the service run; its pure rules also run in browsers. */
const sources = ['packages/core/src/**/*.ts', 'apps/api/src/**/*.ts', 'apps/worker/src/**/*.ts'];
const skipped = /[.](test|fixtures?)[.]ts$|\/(testing|generated)\//;

/** Every regular expression that repeats something. */
export function patternsOf(root: string): Pattern[] {
  const patterns: Pattern[] = [];
  for (const file of globSync(sources, { cwd: root })) {
    if (skipped.test(file)) continue;
    const source = readFileSync(join(root, file), 'utf8');
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node) && /[*+{]/.test(node.text))
        patterns.push({ file, text: node.text });
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  }
  return patterns;
}

const fillings = [
  ...[
    ' ',
    '\n',
    '\r\n ',
    '\u00a0',
    '\t',
    '(',
    '[',
    '{',
    '{{',
    '{%',
    '"',
    '<',
    '<a ',
    '>',
    '=?',
    '=',
    ',',
    ':',
    ';',
    '\0',
  ],
  ...[
    '&',
    '&amp;',
    'a',
    'A',
    '0',
    '-',
    '--',
    '.',
    'a.',
    '1.',
    '@',
    'a@',
    '/',
    '\\',
    '%',
    '_',
    'a=',
    '#',
    '?',
    'é',
    'ab ',
  ],
];
/** What stands before and after it, so that a pattern begins to match, or cannot end. */
const surroundings: readonly (readonly [string, string])[] = [
  ['', ''],
  ['', '\u0001'],
  ['a', '!'],
  ['<a ', '\u0001'],
  ['{{ ', '\u0001'],
];
const lengths = [2_000, 8_000, 32_000];
/** In milliseconds. Work that grows with the text takes microseconds for the first length. */
const measurable = 10;

/**
 * Text for which a pattern takes more time than in proportion to its length.
 *
 * @returns a description; null when there is none
 */
export function slowTextOf(pattern: string): string | null {
  const end = pattern.lastIndexOf('/');
  // Sticky patterns are tried at one place, others at each.
  const flags = pattern.slice(end + 1).replace('g', '');
  const expression = new RegExp(pattern.slice(1, end), flags.includes('y') ? flags : `${flags}g`);
  for (const filling of fillings)
    for (const [before, after] of surroundings) {
      const costs = lengths.map(
        (length) => () => costOf(expression, before + filling.repeat(length / filling.length) + after),
      );
      let previous = costs[0]?.() ?? 0;
      for (const cost of costs.slice(1)) {
        const now = cost();
        // Four times the text: twelve times the time is more than what a machine does besides, and less than the square.
        if (now > 12 * Math.max(previous, measurable / 12) && cost() > measurable && cost() > measurable)
          return JSON.stringify(before + filling.repeat(3) + after);
        previous = now;
      }
    }
  return null;
}

/** CPU time of this thread, in milliseconds. */
function costOf(expression: RegExp, text: string): number {
  const start = process.threadCpuUsage();
  expression.lastIndex = 0;
  text.replace(expression, '');
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}
