/** What every side may import of this area, browsers included. */
export * from './skip-reasons.rules.ts';
