import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { FOLDER, placeOf, ROOT } from './place.mjs';

/**
 * Keeps a copy without types of every module that the processes of the product load (decision 108). Positions stay: types become spaces.
 * What did not change since the last time is left alone.
 */
const folders = [
  'apps/api/src',
  'apps/worker/src',
  'apps/admin/src',
  'packages/core/src',
  'packages/mcp/src',
  'packages/sdk/src',
  'tooling/harness/src',
  'tooling/local/src',
  'tooling/seed/src',
];
/** @param {string} name */
const isModule = (name) => name.endsWith('.ts') && !/\.(test|fixture|d)\.ts$/.test(name);

const current = new Set();
let written = 0;
for (const folder of folders) {
  if (!existsSync(join(ROOT, folder))) continue;
  for (const entry of await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !isModule(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const place = placeOf(file);
    current.add(place);
    if (existsSync(place)) continue;
    await mkdir(dirname(place), { recursive: true });
    // Read by processes that start meanwhile, so it appears whole.
    const draft = `${place}.${process.pid}`;
    await writeFile(draft, stripTypeScriptTypes(await readFile(file, 'utf8')));
    await rename(draft, place);
    written += 1;
  }
}
if (existsSync(FOLDER))
  for (const entry of await readdir(FOLDER, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name);
    if (entry.isFile() && entry.name.endsWith('.mjs') && !current.has(place))
      await rm(place, { force: true });
  }
console.log(`${written} of ${current.size} modules`);
