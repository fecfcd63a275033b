import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { placeOf, ROOT } from './place.mjs';

/**
 * Loaded before a program (`node --import`): modules of the product are read without their types from where `strip-types.mjs` keeps them. The
 * compiler that Node would load to strip them takes 30 MB of every process (decision 108). What is not kept, or has changed, is stripped by Node.
 */
const root = `${pathToFileURL(ROOT).href}/`;

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith(root) && url.endsWith('.ts')) {
      const source = keptOf(fileURLToPath(url));
      if (source !== null) return { format: 'module', source, shortCircuit: true };
    }
    return nextLoad(url, context);
  },
});

/** @param {string} file */
function keptOf(file) {
  try {
    return readFileSync(placeOf(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return null;
    throw error;
  }
}
