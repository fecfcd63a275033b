/** Makes the files of the console, posts them to the thread that asked, and ends. */

import { parentPort } from 'node:worker_threads';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import apiReference from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';
import type { ConsoleFiles } from './console-files.ts';

const app = fastify();
await app.register(apiReference, {
  routePrefix: '/docs/console',
  configuration: {
    url: '/openapi.json',
    pageTitle: 'Postrider API console',
    // The icon of the dashboard, which this server serves too.
    favicon: '/favicon.svg',
    withDefaultFonts: false,
    authentication: { preferredSecurityScheme: 'secretKey' },
    telemetry: false,
    // These would send requests, or the document, to servers of Scalar.
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
  },
});
const [page, script] = await Promise.all(
  ['/docs/console/', '/docs/console/js/scalar.js'].map((url) => app.inject({ url })),
);
if (page?.statusCode !== 200 || script?.statusCode !== 200) throw new Error('the console has no files');
const bytes = script.rawPayload;
const files: ConsoleFiles = {
  page: page.body,
  script: {
    identity: bytes,
    gzip: gzipSync(bytes),
    // The best level takes seconds for a few per cent.
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  },
};
parentPort?.postMessage(files);
