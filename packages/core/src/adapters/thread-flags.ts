/** Flags of Node for a thread. It reads modules without their types (decision 108), and does not load the compiler that would strip them. */
export const threadFlags: string[] = [
  '--import',
  new URL('../../startup/stripped.mjs', import.meta.url).href,
];
