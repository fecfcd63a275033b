/** Fails when a package in `package-lock.json` has a licence that the product may not be distributed with. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../root.ts';
import { type LicensedLock, licenceProblems } from './licences.ts';

const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as LicensedLock;
const problems = licenceProblems(lock);
for (const problem of problems) console.error(problem);
if (problems.length > 0) console.error('Use another package, or give the reason in checks/licences.ts.');
process.exitCode = problems.length === 0 ? 0 : 1;
