import { expect, it } from 'vitest';
import { readHeaders } from './otlp-headers.rules.ts';

it.each([
  [undefined, {}],
  ['', {}],
  ['authorization=Bearer%20a%3Db, x-tenant = mail,', { authorization: 'Bearer a=b', 'x-tenant': 'mail' }],
  ['api-key=a=b', { 'api-key': 'a=b' }],
])('%j are headers', (text, headers) => {
  expect(readHeaders(text)).toEqual(headers);
});

it.each(['authorization', '=value', 'a b=c', 'a=%zz', 'a=b%0Ac'])('%j are none', (text) => {
  expect(readHeaders(text)).toBeNull();
});
