import { join } from 'node:path';
import { buildSite } from './build-site.ts';
import { BuildError } from './problems.ts';
import { readSources } from './sources.ts';
import { writeSite } from './write-site.ts';

/** Writes the documentation to `dist`. What a page names and does not exist fails the build. */
try {
  const site = await buildSite(await readSources());
  await writeSite(site, join(import.meta.dirname, '../dist'));
  process.stdout.write(`${site.pages.length} pages of documentation\n`);
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
