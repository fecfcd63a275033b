/** What every side may import of this area, browsers included. */
export * from './email-figures.rules.ts';
