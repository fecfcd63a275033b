import { describe, expect, it } from 'vitest';
import { parseSmtpUrl } from './smtp-url.ts';

const requiresTls = (url: string): boolean => parseSmtpUrl(url).connection.requireTLS === true;

describe('TLS', () => {
  it.each(['smtp://user:pass@relay.example.com:587', 'smtp://user:pass@203.0.113.7'])(
    'is required before a password is sent, so that removing STARTTLS from a reply does not reveal it: %s',
    (url) => expect(requiresTls(url)).toBe(true),
  );

  it.each([
    'smtp://relay.example.com',
    'smtp://user:pass@localhost:1025',
    'smtp://user:pass@127.0.0.1:1025',
    'smtp://user:pass@relay.example.com?ignoreTLS=true',
    'smtp://user:pass@relay.example.com?opportunisticTLS=true',
  ])('is only used where offered without a password, on this machine, or when the URL says so: %s', (url) =>
    expect(requiresTls(url)).toBe(false),
  );
});

it.each(['http://relay.example.com', 'relay.example.com:25', 'smtp://'])('%s is refused', (url) => {
  expect(() => parseSmtpUrl(url)).toThrow(TypeError);
});
