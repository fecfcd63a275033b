import { mkdir, writeFile } from 'node:fs/promises';
import { readCallable } from '@postrider/sdk/generate';
import { modelOf } from '@postrider/sdk/generate/model';
import { groupsText, operationsText } from './groups-text.ts';
import { typesText } from './types-text.ts';

/** `npm run generate`: the types and operations of the Python package, from the committed contract. */
const folder = new URL('../src/postrider/generated/', import.meta.url);
const model = modelOf(await readCallable());
await mkdir(folder, { recursive: true });
const texts = {
  '__init__.py': '',
  'types.py': typesText(model),
  'operations.py': operationsText(model),
  'groups.py': groupsText(model),
};
for (const [name, text] of Object.entries(texts)) await writeFile(new URL(name, folder), text);
