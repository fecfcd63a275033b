import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The paths of the API that pages request or link to. */
const apiPaths = [
  '/trpc',
  '/auth',
  '/config',
  '/contacts/import',
  '/exports',
  '/privacy/exports',
  '/uploads',
  '/docs',
  '/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
];
const api = process.env.API_URL ?? 'http://localhost:3000';

/** Smaller files fit into one packet either way. */
const compressedFrom = 1_024;

/** Writes `.br` and `.gz` copies beside the files that get smaller by them; the api sends those where a browser accepts them. */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  async writeBundle({ dir = 'dist' }, bundle) {
    for (const name of Object.keys(bundle)) {
      const file = join(dir, name);
      const content = await readFile(file);
      if (!/\.(js|css|svg|json)$/.test(name) || content.length < compressedFrom) continue;
      await writeFile(`${file}.br`, brotliCompressSync(content));
      await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

/** What every page needs. */
const framework =
  /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|@trpc|use-sync-external-store)\//;

export default defineConfig({
  plugins: [react(), compressedCopies],
  build: {
    rolldownOptions: {
      // One file compresses better than a dozen, and stays in the browser's cache when only the dashboard changes.
      output: { codeSplitting: { groups: [{ name: 'framework', test: framework, tags: ['$initial'] }] } },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(apiPaths.map((path) => [path, { target: api }])),
  },
});
