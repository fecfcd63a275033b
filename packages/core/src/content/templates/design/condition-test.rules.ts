/** Comparisons of a condition block as rows, as far as Liquid has them. */
export const testOperators = {
  equals: '==',
  notEquals: '!=',
  greaterThan: '>',
  greaterThanOrEqual: '>=',
  lessThan: '<',
  lessThanOrEqual: '<=',
  contains: 'contains',
  isEmpty: '== blank',
  isNotEmpty: '!= blank',
} as const;

export type TestOperator = keyof typeof testOperators;

export interface TestRow {
  /** as in filters: `data.plan` of the contact, `context.plan` of the event that started a workflow, `email`, `subscribed` */
  field: string;
  operator: TestOperator;
  /** absent with `isEmpty` and `isNotEmpty`; null is no value */
  value?: string | number | boolean | null;
}

/** All rows must hold, or any of them. */
export interface TestRows {
  logic: 'AND' | 'OR';
  rows: readonly TestRow[];
}

/**
 * The test of a condition block, in Liquid, that means the same as rows.
 *
 * @returns null if Liquid cannot say it: a text with both kinds of quotes, or with what ends a tag
 */
export function testOf({ logic, rows }: TestRows): string | null {
  const parts = rows.map(comparisonOf);
  return parts.every((part) => part !== null) && parts.length > 0
    ? parts.join(logic === 'AND' ? ' and ' : ' or ')
    : null;
}

function comparisonOf({ field, operator, value }: TestRow): string | null {
  const name = nameOf(field);
  if (name === null) return null;
  if (isWithoutValue(operator)) return `${name} ${testOperators[operator]}`;
  const literal = literalOf(value);
  return literal === null ? null : `${name} ${testOperators[operator]} ${literal}`;
}

export const isWithoutValue = (operator: string): boolean =>
  operator === 'isEmpty' || operator === 'isNotEmpty';

/** Names that need no brackets. Words of Liquid, and those of other variables, are no keys of contacts without them. */
const plainName = /^[A-Za-z_]\w*$/;
const taken: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'contains',
  'true',
  'false',
  'nil',
  'null',
  'blank',
  'empty',
  'data',
  'event',
  'email',
  'subscribed',
]);

function nameOf(field: string): string | null {
  if (field === 'email' || field === 'subscribed') return field;
  const [, kind, key] = /^(data|context)\.(.+)$/s.exec(field) ?? [];
  if (key === undefined) return null;
  if (kind === 'context')
    return key.split('.').every((part) => plainName.test(part)) ? `event.${key}` : bracketed('event', key);
  return plainName.test(key) && !taken.has(key) ? key : bracketed('data', key);
}

const bracketed = (name: string, key: string): string | null => {
  const text = quoted(key);
  return text === null ? null : `${name}[${text}]`;
};

function literalOf(value: TestRow['value']): string | null {
  if (value === undefined) return null;
  if (value === null) return 'nil';
  if (typeof value === 'string') return quoted(value);
  const text = String(value);
  return typeof value === 'boolean' || number.test(text) ? text : null;
}

const number = /^-?\d+(\.\d+)?$/;

/** What could end a tag, what is an escape in quotes, and blanks that are not kept as they are. */
const unsafe = /[{}%\\]|[^\S ]| {2}/;

function quoted(text: string): string | null {
  if (unsafe.test(text)) return null;
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? null : `'${text}'`;
}

/** The rows that mean the same as a test; null if it is more than rows can say. */
export function rowsIn(test: string): TestRows | null {
  const tokens = tokensIn(test);
  if (tokens === null) return null;
  const rows: TestRow[] = [];
  const logics = new Set<string>();
  for (let at = 0; at < tokens.length; ) {
    const read = rowAt(tokens, at);
    if (read === null) return null;
    rows.push(read.row);
    at = read.end;
    const joint = tokens[at];
    if (joint === undefined) break;
    if (joint !== 'and' && joint !== 'or') return null;
    logics.add(joint);
    at += 1;
    if (at === tokens.length) return null;
  }
  if (rows.length === 0 || logics.size > 1) return null;
  return { logic: logics.has('or') ? 'OR' : 'AND', rows };
}

function rowAt(tokens: readonly string[], at: number): { row: TestRow; end: number } | null {
  const field = fieldOf(tokens[at]);
  if (field === null) return null;
  const sign = tokens[at + 1];
  // A name alone asks for a value.
  if (sign === undefined || sign === 'and' || sign === 'or')
    return { row: { field, operator: 'isNotEmpty' }, end: at + 1 };
  const operand = tokens[at + 2];
  if (operand === undefined) return null;
  if (operand === 'blank') {
    const operator = sign === '==' ? 'isEmpty' : sign === '!=' ? 'isNotEmpty' : null;
    return operator && { row: { field, operator }, end: at + 3 };
  }
  const operator = bySign.get(sign);
  const value = literalIn(operand);
  return operator === undefined || value === undefined
    ? null
    : { row: { field, operator, value }, end: at + 3 };
}

const bySign: ReadonlyMap<string, TestOperator> = new Map(
  (Object.entries(testOperators) as [TestOperator, string][])
    .filter(([operator]) => !isWithoutValue(operator))
    .map(([operator, sign]) => [sign, operator]),
);

function literalIn(token: string): TestRow['value'] {
  if (token === 'true' || token === 'false') return token === 'true';
  if (token === 'nil' || token === 'null') return null;
  if (number.test(token)) return Number(token);
  return /^["']/.test(token) ? token.slice(1, -1) : undefined;
}

function fieldOf(token: string | undefined): string | null {
  if (token === undefined) return null;
  if (token === 'email' || token === 'subscribed') return token;
  const [, name, key] = /^(data|event)\[["'](.*)["']\]$/s.exec(token) ?? [];
  if (key !== undefined) return `${name === 'event' ? 'context' : 'data'}.${key}`;
  const [first = '', ...rest] = token.split('.');
  if (![first, ...rest].every((part) => plainName.test(part))) return null;
  if (first === 'event') return rest.length > 0 ? `context.${rest.join('.')}` : null;
  if (first === 'data') return rest.length === 1 ? `data.${rest[0]}` : null;
  return rest.length === 0 && !taken.has(first) ? `data.${first}` : null;
}

const token =
  /\s*("[^"]*"|'[^']*'|(?:data|event)\[(?:"[^"]*"|'[^']*')\]|[=!<>]=|[<>]|-?\d+(?:\.\d+)?(?![\w.])|[A-Za-z_][\w-]*(?:\.[\w-]+)*(?![\w[.]))\s*/y;

function tokensIn(test: string): string[] | null {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < test.length) {
    const found = token.exec(test)?.[1];
    if (found === undefined) return null;
    tokens.push(found);
  }
  return tokens;
}

/** Whether a test has the form of a condition of Liquid: operands, and between them operators. What else it means is not asked. */
export function isTest(test: string): boolean {
  const parts = test
    .replace(/"[^"]*"|'[^']*'/g, '0')
    .replace(/([=!<>]=|[<>])/g, ' $1 ')
    .trim()
    .split(/\s+/)
    .filter((part) => part !== 'not');
  const isOperator = (part: string) => /^(?:[=!<>]=|[<>]|contains|and|or)$/.test(part);
  return (
    parts.length % 2 === 1 &&
    parts.every((part, index) =>
      index % 2 === 1 ? isOperator(part) : !isOperator(part) && /^[^\s"'=!<>{}%|]+$/.test(part),
    )
  );
}
