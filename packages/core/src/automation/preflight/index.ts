export { assertSendable } from './assert-sendable.ts';
export { createFactReader } from './fact-reader.ts';
export type { FactReader } from './facts.rules.ts';
export { checkContent, findingsOf, isInOrder } from './preflight.rules.ts';
