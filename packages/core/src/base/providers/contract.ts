/** The part of this area for all sides, browsers included: the definitions of providers. */
export * from './providers.rules.ts';
