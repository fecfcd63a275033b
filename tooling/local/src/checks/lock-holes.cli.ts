/** Fails when `package-lock.json` lacks a platform package of any tool. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../root.ts';
import { type Lock, lockHoles } from './lock-holes.ts';

const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
const holes = lockHoles(lock);
for (const hole of holes) console.error(`package-lock.json: ${hole}`);
if (holes.length > 0) {
  console.error(
    'Pin a version of the tool whose platform packages are all published, and write the lock again.',
  );
}
process.exitCode = holes.length === 0 ? 0 : 1;
