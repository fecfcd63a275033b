/** The part of this area for all sides, browsers included: the types of events. */
export * from './event-types.rules.ts';
