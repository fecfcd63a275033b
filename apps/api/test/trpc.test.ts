import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppRouter } from '../src/trpc/root.router.ts';
import { startApp, type TestApp } from './harness.ts';

/** The door of the dashboard, with the client that the dashboard uses. */
let test: TestApp;
let url: string;
beforeAll(async () => {
  test = await startApp();
  url = `${await test.app.listen({ port: 0, host: '127.0.0.1' })}/trpc`;
});
afterAll(() => test.close());

const requests: string[] = [];
const clientOf = (headers: Record<string, string>) =>
  createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url,
        headers,
        fetch: (input, init) => {
          requests.push(String(input));
          return fetch(input, init as RequestInit);
        },
      }),
    ],
  });

describe('the typed client', () => {
  it('makes several calls in one request, each with its own result', async () => {
    const client = clientOf(await test.sessionHeaders());
    requests.length = 0;
    const [me, contacts, missing] = await Promise.allSettled([
      client.users.me.query(),
      client.contacts.list.query({ limit: 10 }),
      client.contacts.get.query({ id: '01a1fbbb-6049-7208-955a-65aac1f35b72' }),
    ]);
    expect(requests).toHaveLength(1);
    expect(me).toMatchObject({ status: 'fulfilled', value: { id: test.project.ownerId } });
    expect(contacts).toMatchObject({ status: 'fulfilled', value: { data: [], hasMore: false } });
    expect(missing).toMatchObject({
      status: 'rejected',
      reason: { data: { code: 'CONTACT_NOT_FOUND', httpStatus: 404 } },
    });
  });

  it('may make at most 20 calls in one request', async () => {
    const headers = await test.sessionHeaders();
    const batch = (calls: number) =>
      fetch(`${url}/${Array.from({ length: calls }, () => 'users.me').join(',')}?batch=1`, { headers });
    expect((await batch(20)).status).toBe(200);
    const refused = await batch(21);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { message: 'At most 20 calls in a batch', data: { code: 'BAD_REQUEST', httpStatus: 400 } },
    });
  });

  it('may send a long query in a body, but never a mutation in a URL', async () => {
    const headers = await test.sessionHeaders();
    const client = createTRPCClient<AppRouter>({
      links: [httpLink({ url, headers, methodOverride: 'POST' })],
    });
    const body = `<p>${'x'.repeat(100_000)}{{name}}</p>`;
    const letter = { subject: 'For {{name}}', body, type: 'HEADLESS' as const, data: { name: 'Ada' } };
    const { subject, html } = await client.sending.previewContent.query(letter);
    expect(subject).toBe('For Ada');
    expect(html).toContain('xAda</p>');
    const input = encodeURIComponent(JSON.stringify({ email: 'by-address@example.com' }));
    const answer = await fetch(`${url}/contacts.upsert?input=${input}`, { headers });
    expect(answer.status).toBe(404);
  });

  it('gets a clear error for a body that is not JSON', async () => {
    const headers = { ...(await test.sessionHeaders()), 'content-type': 'text/plain' };
    const answer = await fetch(`${url}/auth.endSession`, { method: 'POST', headers, body: 'x' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { data: { code: 'INVALID_REQUEST_BODY' } } });
  });

  it('receives the errors of each field', async () => {
    const client = clientOf(await test.sessionHeaders());
    const refused = await client.contacts.upsert.mutate({ email: 'nobody' }).catch((error: unknown) => error);
    if (!(refused instanceof TRPCClientError)) throw refused;
    expect(refused.data).toMatchObject({
      code: 'VALIDATION_ERROR',
      httpStatus: 422,
      errors: [{ field: 'email', code: 'invalid_string' }],
      requestId: expect.any(String),
    });
  });

  it('needs no project for the account, and one for everything else', async () => {
    const { 'x-project-id': _project, ...headers } = await test.sessionHeaders();
    const client = clientOf(headers);
    expect(await client.projects.list.query()).toHaveLength(1);
    await expect(client.contacts.list.query({})).rejects.toMatchObject({ data: { code: 'BAD_REQUEST' } });
  });

  it('acts for the signed-in user where anybody may call', async () => {
    const request = async (headers: Record<string, string>) =>
      clientOf(headers)
        .auth.requestVerification.mutate({})
        .catch((error: TRPCClientError<AppRouter>) => error.data?.errors?.[0]?.field);
    expect(await request(await test.sessionHeaders())).toEqual({ success: true });
    expect(await request({})).toBe('email');
  });

  it('without a session gets a clear error', async () => {
    await expect(clientOf({}).users.me.query()).rejects.toMatchObject({
      data: { code: 'MISSING_AUTH', httpStatus: 401 },
    });
  });
});
