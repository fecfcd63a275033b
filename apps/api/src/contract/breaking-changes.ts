import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSchema, findBreakingChanges } from 'graphql';
import type { Contract } from './make-contracts.ts';
import { type OpenApi, openapiChanges } from './openapi-changes.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const decisions = new URL('../../../../docs/decisions/', import.meta.url);

/** The changes between two versions of a contract that break a client. */
export function breakingChanges(file: string, before: string, after: string): string[] {
  if (before === after) return [];
  if (file === 'openapi.json')
    return openapiChanges(JSON.parse(before) as OpenApi, JSON.parse(after) as OpenApi).map(
      (change) => `REST ${change}`,
    );
  if (file !== 'schema.graphql') return [];
  const schemaOf = (text: string) => buildSchema(text, { assumeValid: true });
  return findBreakingChanges(schemaOf(before), schemaOf(after))
    .filter(({ description }) => !description.startsWith('Standard scalar'))
    .map(({ description }) => `GraphQL ${description}`);
}

/** The changes that no decision record explains. A record quotes the line of a change in backticks. */
export function unexplained(changes: readonly string[], records: string): string[] {
  return changes.filter((change) => !records.includes(`\`${change}\``));
}

export async function decisionRecords(): Promise<string> {
  const names = (await readdir(decisions)).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, decisions), 'utf8')));
  return texts.join('\n');
}

/**
 * The committed contract that a change is compared with: of the commit named by CONTRACTS_BASE, else of the newest commit
 * that this one shares with `main`.
 *
 * @returns undefined where there is no such commit, such as in a source archive
 */
export async function contractAtBase({ file }: Contract): Promise<string | undefined> {
  const path = `apps/api/contracts/${file}`;
  const commit =
    process.env['CONTRACTS_BASE'] ??
    (await git('merge-base', 'HEAD', 'origin/main')) ??
    (await git('merge-base', 'HEAD', 'main'));
  return commit === undefined ? undefined : git('show', `${commit.trim()}:${path}`);
}

/** The output of a command of git, or undefined when it fails: git, the commit or the file may be missing. */
async function git(...args: string[]): Promise<string | undefined> {
  try {
    return (await run('git', args, { cwd: root, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
