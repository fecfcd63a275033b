import { mkdir, writeFile } from 'node:fs/promises';
import { readCallable } from '@postrider/sdk/generate';
import { toolsOf } from './tools.ts';

/** `npm run generate`: the tools of the server, from the committed contract. */
const folder = new URL('../src/generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('tools.gen.json', folder), JSON.stringify(toolsOf(await readCallable()), null, 1));
