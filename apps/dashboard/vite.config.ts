import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The paths of the API that pages request or link to. */
const apiPaths = ['/trpc', '/auth', '/config', '/contacts/import', '/docs', '/openapi.json'];
const api = process.env.API_URL ?? 'http://localhost:3000';

export default defineConfig({
  plugins: [react()],
  server: {
    port: 5173,
    proxy: Object.fromEntries(apiPaths.map((path) => [path, { target: api }])),
  },
});
