import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../root.ts';
import { runCommand } from '../run-command.ts';
import { type Manifest, publishedManifest } from './manifest.ts';

/**
 * `npm run build` of a package that is published: compiles `src` into a folder that `npm publish` takes, `dist` unless
 * `--out` names another.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
  const out = resolve(values.out);
  await rm(out, { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules/typescript-native/lib/tsc.js');
  const { code, output } = await runCommand(
    process.execPath,
    [compiler, '-p', resolve('tsconfig.build.json'), '--outDir', out],
    { captured: true },
  );
  if (code !== 0) throw new Error(output.trim());
  const published = publishedManifest(await manifestIn('.'), await pinnedVersions());
  await writeFile(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  await cp('README.md', join(out, 'README.md'));
  await cp(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
}

const manifestIn = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

async function pinnedVersions(): Promise<Record<string, string>> {
  const [root, sdk] = await Promise.all([manifestIn(ROOT), manifestIn(join(ROOT, 'packages/sdk'))]);
  return { ...root.dependencies, [sdk.name]: sdk.version };
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
