import type { SignInProviders } from '@postrider/core/base/kernel';
import { platformMailTo } from '@postrider/core/testing/mail.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';
import { type Person, startProvider, type TestProvider } from './identity-provider.ts';

const api = 'http://localhost:3000';
const names = ['github', 'google', 'oidc'] as const;

let provider: TestProvider;
let test: TestApp;
let disabled: TestApp;
beforeAll(async () => {
  provider = await startProvider();
  const client = { issuer: provider.issuer, clientId: 'postrider', clientSecret: 'secret' };
  const signInProviders: SignInProviders = {
    github: { ...client, apiUrl: provider.apiUrl },
    google: client,
    oidc: client,
  };
  test = await startApp({}, { signInProviders });
  disabled = await startApp({ SIGNUPS_DISABLED: 'true' }, { signInProviders });
});
afterAll(async () => {
  await Promise.all([test.close(), disabled.close()]);
  await provider.close();
});

let people = 0;
const person = (): Person => {
  people += 1;
  return { subject: String(1000 + people), email: `person${people}@example.com`, verified: true };
};

beforeEach(async () => {
  for (const { services } of [test, disabled])
    await services.database.prisma.authAttempt.deleteMany({ where: { key: { startsWith: 'client:' } } });
});

const cookiesOf = (header: unknown): string[] =>
  [header].flat().flatMap((cookie) => (typeof cookie === 'string' ? [cookie.split(';')[0] ?? ''] : []));
const sessionOf = (header: unknown): string | undefined =>
  cookiesOf(header).find((cookie) => cookie.startsWith('postrider_session='));

async function start(name: string, { on = test, query = '' } = {}) {
  const { status, headers } = await on.anyone('GET', `/auth/oauth/${name}${query}`);
  expect(status).toBe(302);
  return { url: String(headers['location']), cookie: cookiesOf(headers['set-cookie'])[0] ?? '' };
}
const finish = (name: string, query: string, cookie: string, on = test) =>
  on.anyone('GET', `/auth/oauth/${name}/callback${query}`, undefined, { cookie });

async function signIn(name: string, who: Person, options: { on?: TestApp; query?: string } = {}) {
  provider.signIn(who);
  const { url, cookie } = await start(name, options);
  return finish(name, await provider.agree(url), cookie, options.on);
}
const me = async (header: unknown) =>
  (await test.anyone('GET', '/users/@me', undefined, { cookie: sessionOf(header) ?? '' })).body;

describe('GET /auth/oauth-config', () => {
  it('names the configured providers', async () => {
    expect((await test.anyone('GET', '/auth/oauth-config')).body).toEqual({
      github: true,
      google: true,
      oidc: true,
    });
    const plain = await startApp();
    expect((await plain.anyone('GET', '/auth/oauth-config')).body).toMatchObject({
      github: false,
      google: false,
    });
    expect((await plain.anyone('GET', '/auth/oauth/github')).status).toBe(404);
    await plain.close();
  });

  it('404 for a provider that does not exist', async () => {
    for (const name of ['facebook', 'toString', '__proto__'])
      expect((await test.anyone('GET', `/auth/oauth/${name}`)).status).toBe(404);
  });
});

describe.each(names)('/auth/oauth/%s', (name) => {
  it('sends the browser to the provider with state and PKCE, which only a cookie for this path keeps', async () => {
    const { status, headers } = await test.anyone('GET', `/auth/oauth/${name}`);
    expect(status).toBe(302);
    const { searchParams, origin } = new URL(String(headers['location']));
    expect(origin).toBe(new URL(provider.issuer).origin);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'postrider',
      redirect_uri: `${api}/auth/oauth/${name}/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(String(headers['set-cookie'])).toMatch(
      /^postrider_sign_in=[\w-]+; Path=\/auth\/oauth; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  it('creates a proven account at the first sign-in, and finds it again when the address has changed', async () => {
    const who = person();
    const first = await signIn(name, who);
    expect(first).toMatchObject({ status: 302, headers: { location: `${api}/` } });
    const user = await me(first.headers['set-cookie']);
    const type = { github: 'GITHUB_OAUTH', google: 'GOOGLE_OAUTH', oidc: 'OIDC' }[name];
    expect(user).toMatchObject({ email: who.email, type, emailVerified: true });
    const again = await signIn(name, { ...who, email: `new-${who.email}` });
    expect(await me(again.headers['set-cookie'])).toEqual(user);
  });

  it('refuses an address that the provider does not confirm, and creates nothing', async () => {
    const who = { ...person(), verified: false };
    const { status, headers } = await signIn(name, who);
    expect(status).toBe(302);
    expect(headers['location']).toBe(`${api}/login?error=email_not_verified`);
    expect(sessionOf(headers['set-cookie'])).toBeUndefined();
    expect(await test.services.database.prisma.user.count({ where: { email: who.email } })).toBe(0);
  });

  it('refuses a forged state, a foreign cookie and no cookie', async () => {
    provider.signIn(person());
    const mine = await start(name);
    const other = await start(name);
    const query = await provider.agree(mine.url);
    const forged = query.replace(/state=[^&]+/, 'state=forged');
    for (const [answer, cookie] of [
      [forged, mine.cookie],
      [query, other.cookie],
      [query, ''],
      [query, `${mine.cookie.slice(0, -2)}xx`],
    ] as const) {
      const { status, headers } = await finish(name, answer, cookie);
      expect(status).toBe(302);
      expect(headers['location']).toBe(`${api}/login?error=invalid_state`);
      expect(sessionOf(headers['set-cookie'])).toBeUndefined();
    }
  });

  it('refuses a code that was redeemed before', async () => {
    provider.signIn(person());
    const { url, cookie } = await start(name);
    const query = await provider.agree(url);
    expect((await finish(name, query, cookie)).headers['location']).toBe(`${api}/`);
    const replayed = await finish(name, query, cookie);
    expect(replayed.headers['location']).toBe(`${api}/login?error=provider_failed`);
    expect(sessionOf(replayed.headers['set-cookie'])).toBeUndefined();
  });

  it('returns to the login page when the user does not agree', async () => {
    const { url, cookie } = await start(name);
    const state = new URL(url).searchParams.get('state');
    const { headers } = await finish(name, `?error=access_denied&state=${state}`, cookie);
    expect(headers['location']).toBe(`${api}/login?error=access_denied`);
  });
});

describe('an account that exists', () => {
  const password = 'correct horse';

  it('is signed in to with its password and its sessions kept, if its address was proven', async () => {
    const who = person();
    const { headers } = await test.anyone('POST', '/auth/signup', { email: who.email, password });
    await test.services.database.prisma.user.update({
      where: { email: who.email },
      data: { emailVerified: true },
    });
    const { headers: after } = await signIn('google', who);
    expect(await me(after['set-cookie'])).toMatchObject({ email: who.email, type: 'PASSWORD' });
    expect(await me(headers['set-cookie'])).toMatchObject({ email: who.email });
    expect((await test.anyone('POST', '/auth/login', { email: who.email, password })).status).toBe(200);
  });

  it('goes to the owner of an address that was never proven: its password and sessions end', async () => {
    const who = person();
    const { headers, body } = await test.anyone('POST', '/auth/signup', { email: who.email, password });
    const { headers: after } = await signIn('google', who);
    expect(await me(after['set-cookie'])).toMatchObject({
      id: body.id,
      type: 'GOOGLE_OAUTH',
      emailVerified: true,
    });
    const cookie = sessionOf(headers['set-cookie']) ?? '';
    expect((await test.anyone('GET', '/users/@me', undefined, { cookie })).status).toBe(401);
    expect((await test.anyone('POST', '/auth/login', { email: who.email, password })).status).toBe(401);
  });

  it('stays as it is when the provider does not confirm the address', async () => {
    const who = { ...person(), verified: false };
    await test.anyone('POST', '/auth/signup', { email: who.email, password });
    const { headers } = await signIn('oidc', who);
    expect(headers['location']).toBe(`${api}/login?error=email_not_verified`);
    expect((await test.anyone('POST', '/auth/login', { email: who.email, password })).status).toBe(200);
  });
});

describe('with SIGNUPS_DISABLED', () => {
  it('refuses a new account', async () => {
    const { headers } = await signIn('google', person(), { on: disabled });
    expect(headers['location']).toBe(`${api}/login?error=signups_disabled`);
  });

  it('accepts an invited address, which joins the project, and no other', async () => {
    const who = person();
    const admin = await disabled.withSession('ADMIN');
    await admin('POST', `/projects/${disabled.project.id}/members`, { email: who.email });
    const [mail] = await platformMailTo(disabled.services, who.email);
    const query = `?invitation=${mail?.token}`;
    const stranger = await signIn('google', person(), { on: disabled, query });
    expect(stranger.headers['location']).toBe(`${api}/login?error=invalid_invitation`);
    const { headers } = await signIn('google', who, { on: disabled, query });
    expect(headers['location']).toBe(`${api}/`);
    const { body } = await admin('GET', `/projects/${disabled.project.id}/members`);
    expect(body).toContainEqual(expect.objectContaining({ email: who.email, status: 'ACTIVE' }));
  });
});

it('continues at the page that was requested, which can only be one of the dashboard', async () => {
  const to = async (next: string) => {
    const { headers } = await signIn('google', person(), { query: `?next=${encodeURIComponent(next)}` });
    return headers['location'];
  };
  expect(await to('/p/1/campaigns?page=2')).toBe(`${api}/p/1/campaigns?page=2`);
  for (const elsewhere of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:1'])
    expect(await to(elsewhere)).toBe(`${api}/`);
});

it('counts sign-ins against the limit of the client address', async () => {
  for (let attempt = 0; attempt < 10; attempt += 1) await signIn('google', person());
  const { headers } = await signIn('google', person());
  expect(headers['location']).toBe(`${api}/login?error=too_many_attempts`);
});

it('reports a provider that cannot be reached on the login page', async () => {
  const away = { issuer: 'http://localhost:1', clientId: 'postrider', clientSecret: 'secret' };
  const app = await startApp({}, { signInProviders: { oidc: away } });
  const { status, headers } = await app.anyone('GET', '/auth/oauth/oidc');
  expect(status).toBe(302);
  expect(headers['location']).toBe(`${api}/login?error=provider_failed`);
  await app.close();
});
