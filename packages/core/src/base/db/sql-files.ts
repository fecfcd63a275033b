import { createHash } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '../..');
export const historyFile = join(here, '../../../prisma/sql-files.history');

/** A function or a trigger, as a file of SQL creates it. */
export interface SqlObject {
  kind: 'function' | 'trigger';
  name: string;
  /** of a trigger; '' for a function */
  table: string;
  /** its statement, with the values of constants */
  statement: string;
  /** below `src` */
  file: string;
}

export interface SqlFiles {
  objects: readonly SqlObject[];
  /** of all of them together */
  digest: string;
  /** digests of all versions of the files, this one last; a database with any other digest has a newer version */
  history: readonly string[];
}

/**
 * The functions and triggers of the database, each in a file beside the store that it belongs to. A file `x.sql` may have placeholders
 * such as `{{maxBytes}}`, whose values `x.constants.ts` beside it exports as `constants`: a number, a text, or a list for an array literal.
 *
 * @throws Error for a file that has other statements, a placeholder without a value or a value without a placeholder
 */
export async function readSqlFiles(): Promise<SqlFiles> {
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.sql')).sort();
  const objects = (await Promise.all(names.map(readSqlFile))).flat();
  const twice = objects.find(
    (one, index) => objects.findIndex((other) => nameOf(other) === nameOf(one)) < index,
  );
  if (twice) throw new Error(`${twice.file}: ${nameOf(twice)} is also in another file`);
  // In an order that does not depend on where the files lie.
  const digest = digestOf(
    objects
      .map(({ statement }) => statement)
      .toSorted()
      .join('\n'),
  );
  return { objects, digest, history: await readHistory() };
}

export const nameOf = ({ name, table }: Pick<SqlObject, 'name' | 'table'>): string =>
  table === '' ? name : `${name} on ${table}`;

/** 16 bytes of SHA-256, in hexadecimal. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

async function readHistory(): Promise<string[]> {
  const text = await readFile(historyFile, 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

async function readSqlFile(file: string): Promise<SqlObject[]> {
  const text = await readFile(join(source, file), 'utf8');
  return statementsOf(withConstants(text, file, await constantsOf(file))).map((statement) => ({
    ...identify(statement, file),
    statement,
    file,
  }));
}

export type SqlConstants = Readonly<Record<string, number | string | readonly (number | string)[]>>;

async function constantsOf(file: string): Promise<SqlConstants> {
  const path = join(source, file.replace(/\.sql$/, '.constants.ts'));
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (!exists) return {};
  const { constants }: { constants: SqlConstants } = await import(pathToFileURL(path).href);
  return constants;
}

/** Fills the placeholders of a file in. */
export function withConstants(text: string, file: string, constants: SqlConstants): string {
  const used = new Set<string>();
  const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = constants[name];
    if (value === undefined) throw new Error(`${file}: {{${name}}} has no value`);
    used.add(name);
    return literalOf(value);
  });
  const unused = Object.keys(constants).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`${file} does not use ${unused.join(', ')}`);
  return filled;
}

function literalOf(value: SqlConstants[string]): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : `{${value.map((item) => JSON.stringify(item)).join(',')}}`;
  return `'${text.replaceAll("'", "''")}'`;
}

/** The statements of a file, with the comments before each; a function ends with the line that closes its body. */
export function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let open: string[] = [];
  let body: string | null = null;
  for (const line of text.split('\n')) {
    if (open.length === 0 && (line === '' || line.startsWith('--'))) continue;
    open.push(line);
    for (const [quote] of line.matchAll(/\$\w*\$/g)) {
      if (body === null) body = quote;
      else if (body === quote) body = null;
    }
    if (body !== null || !line.trimEnd().endsWith(';')) continue;
    statements.push(open.join('\n'));
    open = [];
  }
  if (open.length > 0) throw new Error(`a statement does not end: ${open[0]}`);
  return statements;
}

function identify(statement: string, file: string): Pick<SqlObject, 'kind' | 'name' | 'table'> {
  const [, called] = /^CREATE FUNCTION (\w+)\(/.exec(statement) ?? [];
  if (called !== undefined) return { kind: 'function', name: called, table: '' };
  const [, trigger, table] = /^CREATE TRIGGER "(\w+)" [\s\S]*? ON "(\w+)"/.exec(statement) ?? [];
  if (trigger !== undefined && table !== undefined) return { kind: 'trigger', name: trigger, table };
  throw new Error(
    `${file}: only CREATE FUNCTION and CREATE TRIGGER belong in files of SQL beside stores; everything else belongs in a migration`,
  );
}
