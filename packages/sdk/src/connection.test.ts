import { afterEach, describe, expect, it, vi } from 'vitest';
import { Postrider, PostriderError } from './index.ts';
import { json, serve } from './testing.fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const baseUrl = 'https://mail.example.com';

describe('a client', () => {
  it('refuses a secret key in a browser, and accepts a public one', () => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
    expect(() => new Postrider({ apiKey: 'sk_1', baseUrl })).toThrow('must not be used in a browser');
    expect(new Postrider({ apiKey: 'pk_1', baseUrl }).connection.apiKey).toBe('pk_1');
  });

  it.each<[string, object, string]>([
    ['no key', { baseUrl }, 'apiKey must be'],
    ['another kind of key', { apiKey: 'whsec_1', baseUrl }, 'apiKey must be'],
    ['no address', { apiKey: 'sk_1' }, 'baseUrl must be'],
    ['an address without a scheme', { apiKey: 'sk_1', baseUrl: 'mail.example.com' }, 'baseUrl must be'],
  ])('with %s is refused with a sentence that names the field', (_what, options, message) => {
    const make = () => new Postrider(options as { apiKey: string; baseUrl: string });
    expect(make).toThrow(PostriderError);
    expect(make).toThrow(message);
  });

  it('tracks by the public endpoint with a public key, and by /events/track with a secret one', async () => {
    const data = { contact: 'c', event: 'e', timestamp: 't' };
    const stored = { id: 'e', contactId: 'c', createdAt: 't' };
    const server = await serve(json(200, { success: true, data }), json(201, stored));
    const input = { email: 'a@example.com', event: 'signed_up' };
    for (const apiKey of ['pk_1', 'sk_1']) {
      const client = new Postrider({ apiKey, baseUrl: server.baseUrl });
      expect(await client.track(input)).toEqual({ ...data, repeated: false, answerLost: false });
    }
    expect(server.received.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      ['/v1/track', input],
      ['/events/track', input],
    ]);
  });
});
