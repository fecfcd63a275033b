export type LockMode =
  | 'ROW EXCLUSIVE'
  | 'SHARE UPDATE EXCLUSIVE'
  | 'SHARE'
  | 'SHARE ROW EXCLUSIVE'
  | 'ACCESS EXCLUSIVE';

/** From the weakest to the strongest, by what they keep out. */
const strength: readonly LockMode[] = [
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
];

/** What a statement does with the rows of a table: nothing, read all of them, or write them. */
export type RowWork = 'none' | 'read' | 'index' | 'write';

export interface TableWork {
  table: string;
  /** the strongest of all statements */
  lock: LockMode;
  work: RowWork;
}

const workOrder: readonly RowWork[] = ['none', 'read', 'index', 'write'];

interface Known {
  pattern: RegExp;
  lock: LockMode;
  work: RowWork;
}

const table = '"(\\w+)"';

/** The first that matches a statement says what it does. */
const statements: readonly Known[] = [
  {
    pattern: new RegExp(`^CREATE (?:UNIQUE )?INDEX CONCURRENTLY .*? ON ${table}`),
    lock: 'SHARE UPDATE EXCLUSIVE',
    work: 'index',
  },
  { pattern: new RegExp(`^CREATE (?:UNIQUE )?INDEX .*? ON ${table}`), lock: 'SHARE', work: 'index' },
  {
    pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table} VALIDATE CONSTRAINT`),
    lock: 'SHARE UPDATE EXCLUSIVE',
    work: 'read',
  },
  {
    pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table} SET \\(`),
    lock: 'SHARE UPDATE EXCLUSIVE',
    work: 'none',
  },
  {
    pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table} .*FOREIGN KEY.*NOT VALID`),
    lock: 'SHARE ROW EXCLUSIVE',
    work: 'none',
  },
  {
    pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table} .*FOREIGN KEY`),
    lock: 'SHARE ROW EXCLUSIVE',
    work: 'read',
  },
  {
    pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table} .*NOT VALID`),
    lock: 'ACCESS EXCLUSIVE',
    work: 'none',
  },
  {
    pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table} .*(?:PRIMARY KEY|UNIQUE) `),
    lock: 'ACCESS EXCLUSIVE',
    work: 'index',
  },
  {
    pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table} .*ALTER COLUMN \\S+ (?:SET DATA )?TYPE`),
    lock: 'ACCESS EXCLUSIVE',
    work: 'write',
  },
  {
    pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table} .*GENERATED ALWAYS AS \\(`),
    lock: 'ACCESS EXCLUSIVE',
    work: 'write',
  },
  {
    pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table} .*(?:ADD CONSTRAINT|SET NOT NULL)`),
    lock: 'ACCESS EXCLUSIVE',
    work: 'read',
  },
  { pattern: new RegExp(`^ALTER TABLE (?:ONLY )?${table}`), lock: 'ACCESS EXCLUSIVE', work: 'none' },
  {
    pattern: new RegExp(`^(?:DROP TABLE|TRUNCATE)(?: TABLE)?(?: IF EXISTS)? ${table}`),
    lock: 'ACCESS EXCLUSIVE',
    work: 'none',
  },
  { pattern: new RegExp(`^CREATE TRIGGER .*? ON ${table}`), lock: 'SHARE ROW EXCLUSIVE', work: 'none' },
  {
    pattern: new RegExp(`^(?:WITH .*?)?(?:UPDATE|INSERT INTO|DELETE FROM) ${table}`),
    lock: 'ROW EXCLUSIVE',
    work: 'write',
  },
];

/** Statements in one line each, without comments and the bodies of functions. */
const statementsIn = (sql: string): string[] =>
  sql
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');

/** The tables that a migration locks and works on, as far as its text tells; tables that it creates itself do not count. */
export function workOf(sql: string): TableWork[] {
  const created = new Set<string>();
  const found = new Map<string, TableWork>();
  const add = (name: string | undefined, lock: LockMode, work: RowWork): void => {
    if (name === undefined || created.has(name)) return;
    const before = found.get(name) ?? { table: name, lock, work };
    found.set(name, {
      table: name,
      lock: strength[Math.max(strength.indexOf(lock), strength.indexOf(before.lock))] ?? lock,
      work: workOrder[Math.max(workOrder.indexOf(work), workOrder.indexOf(before.work))] ?? work,
    });
  };
  for (const statement of statementsIn(sql)) {
    const [, creates] = /^CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"/.exec(statement) ?? [];
    if (creates !== undefined) created.add(creates);
    const known = statements.find(({ pattern }) => pattern.test(statement));
    if (!known) continue;
    add(known.pattern.exec(statement)?.[1], known.lock, known.work);
    const [, referenced] = /FOREIGN KEY .*? REFERENCES "(\w+)"/.exec(statement) ?? [];
    add(referenced, 'SHARE ROW EXCLUSIVE', 'none');
  }
  return [...found.values()];
}

/** Rows per second of one process on a small machine: an order of magnitude, and no promise. */
const rates: Readonly<Record<RowWork, number>> = {
  none: Number.POSITIVE_INFINITY,
  read: 500_000,
  index: 200_000,
  write: 20_000,
};

/** The estimated time of the work on a number of rows, in seconds. */
export const secondsFor = (work: RowWork, rows: number): number => rows / rates[work];
