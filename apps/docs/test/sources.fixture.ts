import type { RawDocument } from '../src/document/document.ts';
import { readSources, type Sources } from '../src/sources.ts';

/** The real sources; read once. */
const real = readSources();

/** Sources with a few operations of the real document and one guide with this text, so that a build takes milliseconds. */
export async function smallSources(text: string, more: Partial<Sources> = {}): Promise<Sources> {
  const { document, readme } = await real;
  const paths: RawDocument['paths'] = {};
  for (const path of ['/v1/send', '/emails', '/emails/{id}', '/config'])
    paths[path] = document.paths[path] ?? {};
  return {
    document: { ...document, paths },
    readme,
    errors: new Map(),
    tasks: [],
    samples: new Map([
      ['python/send.py', '# sample:start\nprint("PYTHON_ONLY")\n# sample:end\nprint("hidden")\n'],
      ['curl/send.sh', 'curl http://localhost:3000/v1/send\n'],
    ]),
    guides: new Map([['one', guide(text)]]),
    ...more,
  };
}

export const guide = (text: string, title = 'One'): string =>
  `---\ntitle: ${title}\npart: Start\norder: 1\ndescription: What it is about.\n---\n\n${text}\n`;

export const realSources = (): Promise<Sources> => real;
