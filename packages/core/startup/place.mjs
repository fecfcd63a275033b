import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, or of the product in an image. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Where the modules without types are. */
export const FOLDER = join(ROOT, 'dist/stripped');

/**
 * Where the text of a module without its types is kept. The name says of which state of the file it is, by its time and size; an image keeps
 * times to the second.
 *
 * @param {string} file a TypeScript file below ROOT
 */
export function placeOf(file) {
  const { mtimeMs, size } = statSync(file);
  return join(FOLDER, `${relative(ROOT, file)}.${Math.floor(mtimeMs / 1000)}.${size}.mjs`);
}
