import type { Tab } from '../html/code.ts';
import { sampleLanguages, tabOf } from '../samples/languages.ts';
import type { Sources } from '../sources.ts';

/** The programs of a name in all languages, in the order of the tabs. */
export function samplesNamed(samples: Sources['samples'], name: string): Tab[] {
  return sampleLanguages.flatMap(({ folder }) => {
    for (const [path, text] of samples) {
      const [language, file, ...deeper] = path.split('/');
      if (language !== folder || deeper.length > 0 || file?.replace(/\.[^.]+$/, '') !== name) continue;
      return [tabOf(folder, shownPart(text))];
    }
    return [];
  });
}

/** What stands between the lines with `sample:start` and `sample:end`, without the indentation that its lines share. */
export function shownPart(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const start = lines.findIndex((line) => line.includes('sample:start'));
  const end = lines.findIndex((line) => line.includes('sample:end'));
  const shown = start < 0 ? lines : lines.slice(start + 1, end < 0 ? undefined : end);
  const indents = shown
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const shared = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return shown
    .map((line) => line.slice(shared))
    .join('\n')
    .trim();
}
