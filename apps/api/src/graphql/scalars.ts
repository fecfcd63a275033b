import { valueFromASTUntyped } from 'graphql';
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description: 'An instant as ISO 8601 in UTC with milliseconds. As input, any ISO 8601 date.',
  serialize: (value) => value,
  parseValue: (value) => value,
});

builder.scalarType('EmailAddress', {
  description: 'An email address, in lower case.',
  serialize: (value) => value,
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});
