import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { go, runIn } from '@postrider/local/generator-tools';
import { ROOT } from '@postrider/local/root';

/**
 * `npm run package` of the Go module: all that is published, in `dist` unless `--out` names another folder. Go takes modules from
 * repositories, so its content is what the repository of the module has at the tag of a version.
 */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
const out = resolve(values.out);
const here = join(import.meta.dirname, '..');
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const names = (await readdir(here)).filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'));
for (const name of ['go.mod', 'README.md', ...names]) await cp(join(here, name), join(out, name));
await cp(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
await runIn(out, await go(), ['fmt', '.']);
