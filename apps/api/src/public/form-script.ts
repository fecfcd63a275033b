import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The script of forms, without its comments and indentation: it is one for all forms, and learns which one it serves from its address. */
export const formScript = readFileSync(join(import.meta.dirname, 'form-script.js'), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('//'))
  .join('\n');
