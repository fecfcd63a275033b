import { readFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ROOT } from './root.ts';

/**
 * No Docker engine is needed for this: what an image can contain follows from `.dockerignore` (the last matching line decides, a
 * folder stands for what is in it, `!` makes an exception) and from the paths that the Dockerfile copies.
 */
let rules: string[];
let copied: string[];

const linesOf = async (file: string): Promise<string[]> =>
  (await readFile(join(ROOT, file), 'utf8')).split('\n').map((line) => line.trim());

beforeAll(async () => {
  rules = (await linesOf('.dockerignore')).filter((line) => line !== '' && !line.startsWith('#'));
  const copies = (await linesOf('Dockerfile')).filter(
    (line) => line.startsWith('COPY ') && !line.includes('--from='),
  );
  copied = copies.flatMap((line) => line.split(/\s+/).slice(1, -1));
});

function isIgnored(path: string): boolean {
  const parts = path.split('/');
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return rules.reduce((ignored, rule) => {
    const pattern = rule.replace(/^!/, '').replace(/\/$/, '');
    return prefixes.some((prefix) => matchesGlob(prefix, pattern)) ? !rule.startsWith('!') : ignored;
  }, false);
}

const isCopied = (path: string): boolean =>
  copied.some((each) => path === each || path.startsWith(`${each}/`));
const isInImage = (path: string): boolean => isCopied(path) && !isIgnored(path);

it.each([
  '.env',
  '.env.production',
  'apps/api/.env',
  'apps/api/.env.local',
  'packages/core/.env.test',
  'tooling/local/.env',
  'tls.pem',
  'apps/api/tls/server.pem',
  'apps/api/server.key',
  'packages/core/client.p12',
  'apps/worker/certificate.pfx',
  'apps/api/data/images/1',
  'apps/api/data/attachments/2',
  'apps/worker/worker.log',
  'npm-debug.log',
  'backup.dump',
  'packages/core/backup.sql.gz',
  '.postrider/postgres/base/1',
  '.git/config',
  'packages/sdk/.npmrc',
  '.npmrc',
  'notes/passwords.txt',
  'docs/behaviour.md',
  'docs/guides/samples/typescript/.env',
])('%s is not in the image', (path) => {
  expect(isInImage(path)).toBe(false);
});

it.each([
  'package.json',
  'package-lock.json',
  'apps/api/src/server.ts',
  'apps/worker/src/main.ts',
  'apps/admin/src/main.ts',
  'apps/dashboard/index.html',
  'packages/core/prisma/extras.sql',
  'README.md',
  'docs/guides/first-email.md',
  'docs/errors/VALIDATION_ERROR.md',
  'packages/core/src/audience/contacts/index.ts',
])('%s is what the image is made of', (path) => {
  expect(isInImage(path)).toBe(true);
});

it('everything that the final stage copies comes from the stage that builds', async () => {
  const lines = await linesOf('Dockerfile');
  const last = lines.slice(lines.findIndex((line) => line.endsWith(' AS app')));
  const copies = last.filter((line) => line.startsWith('COPY '));
  expect(copies.map((line) => line.split(/\s+/).at(-1))).toEqual([
    '/app/package.json',
    '/app/node_modules',
    '/app/apps',
    '/app/packages',
    '/app/dist',
  ]);
  expect(copies.every((line) => line.startsWith('COPY --from=build '))).toBe(true);
});
