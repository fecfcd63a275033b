import description from '../../../package.json' with { type: 'json' };

/** The product's version: all packages of the repository have the same. */
export const { version } = description;
