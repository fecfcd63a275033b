import { readFileSync } from 'node:fs';
import { z } from 'zod';

const description = z.object({ version: z.string() });

/** The product's version: all packages of the repository have the same. */
export const { version } = description.parse(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
);
