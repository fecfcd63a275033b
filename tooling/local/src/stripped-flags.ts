import { join } from 'node:path';
import { ROOT } from './root.ts';

/** Flags of Node with which a program of a checkout reads its modules without their types (decision 108). */
export const strippedFlags = (root: string = ROOT): string[] => [
  '--import',
  join(root, 'packages/core/startup/stripped.mjs'),
];
