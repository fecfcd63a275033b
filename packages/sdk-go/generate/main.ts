import { writeFile } from 'node:fs/promises';
import { readCallable } from '@postrider/sdk/generate';
import { modelOf } from '@postrider/sdk/generate/model';
import { servicesText } from './services-text.ts';
import { typesText } from './types-text.ts';

/** `npm run generate`: the types and operations of the Go module, from the committed contract. */
const folder = new URL('../', import.meta.url);
const model = modelOf(await readCallable());
await writeFile(new URL('types.gen.go', folder), typesText(model));
await writeFile(new URL('services.gen.go', folder), servicesText(model));
