export { assertSendable } from './assert-sendable.ts';
export { checkTexts } from './check-texts.ts';
export { createFactReader } from './fact-reader.ts';
export type { FactReader } from './facts.rules.ts';
export { findingsOf, isInOrder, judgeContent } from './preflight.rules.ts';
