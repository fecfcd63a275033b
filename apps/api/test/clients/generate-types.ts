/** Writes the types of `openapi.json` below it; files in forms are Blobs, as in openapi-typescript's documentation. */
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const blob = ts.factory.createTypeReferenceNode('Blob');

const nodes = await openapiTypescript(await readFile('openapi.json', 'utf8'), {
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
});
await writeFile('generated/api.d.ts', astToString(nodes));
