import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { RawDocument } from './document/document.ts';

/** Everything that the site is made from. */
export interface Sources {
  /** the Markdown of guides by their slugs */
  guides: ReadonlyMap<string, string>;
  /** programs by their paths in the folder of samples, such as `python/send.py` */
  samples: ReadonlyMap<string, string>;
  /** cause and remedy of error codes, as Markdown */
  errors: ReadonlyMap<string, string>;
  /** what developers come to do, with the guide and the heading that say how */
  tasks: readonly Task[];
  document: RawDocument;
  readme: string;
}

export interface Task {
  task: string;
  guide: string;
  heading: string;
}

export const root = join(import.meta.dirname, '../../..');

export async function readSources(folder = root): Promise<Sources> {
  const [guides, samples, errors, tasks, document, readme] = await Promise.all([
    filesOf(join(folder, 'docs/guides'), '.md', false),
    filesOf(join(folder, 'docs/guides/samples'), '', true),
    filesOf(join(folder, 'docs/errors'), '.md', false),
    readFile(join(folder, 'docs/guides/tasks.json'), 'utf8').catch(() => '[]'),
    readFile(join(folder, 'apps/api/contracts/openapi.json'), 'utf8'),
    readFile(join(folder, 'README.md'), 'utf8'),
  ]);
  return {
    guides,
    samples,
    errors,
    readme,
    tasks: JSON.parse(tasks) as Task[],
    document: JSON.parse(document) as RawDocument,
  };
}

/** Texts by their paths in the folder, without the ending. */
async function filesOf(folder: string, ending: string, recursive: boolean): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/(^|\/)(node_modules|vendor|__pycache__)\//.test(relative(folder, path)))
    .sort();
  return new Map(
    await Promise.all(
      paths.map(
        async (path): Promise<[string, string]> => [
          relative(folder, path).slice(0, ending === '' ? undefined : -ending.length),
          await readFile(path, 'utf8'),
        ],
      ),
    ),
  );
}
