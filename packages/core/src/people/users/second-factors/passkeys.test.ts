import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Context, sessionIdOf, sha256 } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { createAuthenticator } from '../../../testing/authenticator.ts';
import { createTestServices, type TestServices } from '../../../testing/index.ts';
import { findMembership } from '../../projects/gate.store.ts';
import { createProject } from '../../projects/index.ts';
import {
  addAuthenticatorApp,
  addPasskey,
  challengeLogin,
  challengePasskey,
  confirmAuthenticatorApp,
  finishLogin,
  getSecondFactors,
  hasSecondFactor,
  login,
  removePasskey,
  removeSecondFactors,
  renewRecoveryCodes,
  signup,
  startPasskey,
} from '../index.ts';

let test: TestServices;
let anonymous: Context;
let origin: string;
beforeAll(async () => {
  test = await createTestServices();
  origin = new URL(test.services.config.DASHBOARD_URL).origin;
  anonymous = {
    services: test.services,
    actor: { type: 'anonymous' },
    project: null,
    request: { id: newId(), ip: null },
    db: test.services.database.prisma,
  };
});
afterAll(() => test.close());

const password = 'correct horse';
const refused = { code: 'INVALID_CREDENTIALS' };

async function account() {
  const { id, email } = await signup.run(anonymous, { email: `${newId()}@people.test`, password });
  const inSession = (sessionId: string): Context => ({
    ...anonymous,
    actor: { type: 'user', userId: id, sessionId, emailVerified: true, projectId: null, role: null },
  });
  const sessionId = newId();
  await test.services.database.prisma.session.create({
    data: {
      id: sessionId,
      userId: id,
      tokenHash: Uint8Array.from(sha256(sessionId)),
      expiresAt: new Date(Date.now() + 60_000),
    },
  });
  return { id, email, ctx: inSession(sessionId), inSession };
}

type Options = { options: Record<string, unknown> | null };
const challengeIn = ({ options }: Options): string => String(options?.challenge);

async function addTo(ctx: Context, proof = {}, authenticator = createAuthenticator(origin)) {
  const credential = authenticator.create(challengeIn(await startPasskey.run(ctx, {})));
  const added = await addPasskey.run(ctx, { name: 'Security key', credential, ...proof });
  return { authenticator, ...added };
}

async function protectedAccount({ counts = true } = {}) {
  const made = await account();
  const { authenticator, passkey, recoveryCodes } = await addTo(
    made.ctx,
    {},
    createAuthenticator(origin, { counts }),
  );
  return { ...made, authenticator, passkey, recoveryCodes: recoveryCodes ?? [] };
}

async function pendingLogin(email: string): Promise<string> {
  const outcome = await login.run(anonymous, { email, password });
  if (!('secondFactor' in outcome)) throw new Error('the login asked for no second factor');
  return outcome.secondFactor.token;
}

describe('adding a passkey', () => {
  it('takes the password if it is the first factor and the session is not fresh', async () => {
    const { ctx, inSession } = await account();
    await test.services.database.prisma.session.updateMany({
      where: { id: sessionIdOf(ctx) ?? '' },
      data: { createdAt: new Date(Date.now() - 11 * 60_000) },
    });
    for (const old of [ctx, inSession(newId())]) {
      await expect(addTo(old)).rejects.toMatchObject(refused);
      await expect(addTo(old, { password: 'wrong' })).rejects.toMatchObject(refused);
    }
    expect(await addTo(ctx, { password })).toMatchObject({ recoveryCodes: expect.any(Array) });
  });

  it('makes the login ask for it, and gives recovery codes with the first second factor only', async () => {
    const { id, email, ctx, authenticator, passkey, recoveryCodes } = await protectedAccount();
    expect(passkey).toEqual({
      id: expect.any(String),
      name: 'Security key',
      addedAt: expect.any(String),
      lastUsedAt: null,
    });
    expect(new Set(recoveryCodes).size).toBe(10);
    const [code = ''] = recoveryCodes;
    expect((await addTo(ctx, { code })).recoveryCodes).toBeNull();

    const token = await pendingLogin(email);
    const challenge = challengeIn(await challengeLogin.run(anonymous, { token }));
    const answer = authenticator.get(challenge);
    expect(await finishLogin.run(anonymous, { token, passkey: answer })).toEqual({ id, email });
    const factors = await getSecondFactors.run(ctx, {});
    expect(factors).toMatchObject({ authenticatorApp: null, recoveryCodesLeft: 9 });
    expect(factors.passkeys.map(({ lastUsedAt }) => lastUsedAt !== null)).toEqual([true, false]);
  });

  it('401 and 422: to a protected account without proof of a factor', async () => {
    const { ctx } = await protectedAccount();
    await expect(addTo(ctx)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(addTo(ctx, { code: '000000' })).rejects.toMatchObject(refused);
    await expect(addAuthenticatorApp.run(ctx, {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(addAuthenticatorApp.run(ctx, { code: '000000' })).rejects.toMatchObject(refused);
  });

  it('an app that was waiting for its first code does not become a factor of the account', async () => {
    const { ctx } = await account();
    await addAuthenticatorApp.run(ctx, {});
    await addTo(ctx);
    await expect(confirmAuthenticatorApp.run(ctx, { code: '000000' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('400: for another session, another origin, a second time, and a wrong form', async () => {
    const { id, ctx, inSession } = await account();
    const key = createAuthenticator(origin);
    const add = (by: Context, credential: ReturnType<typeof key.create>, proof = {}) =>
      addPasskey.run(by, { name: 'Key', credential, ...proof });
    const badRequest = { code: 'BAD_REQUEST' };
    const start = async () => challengeIn(await startPasskey.run(ctx, {}));

    await expect(add(inSession(newId()), key.create(await start()), { password })).rejects.toMatchObject(
      badRequest,
    );
    await expect(add(ctx, key.create(await start(), 'https://evil.test'))).rejects.toMatchObject(badRequest);
    const challenge = await start();
    const broken = key.create(challenge);
    const response = { ...broken.response, attestationObject: 'AAAA' };
    await expect(add(ctx, { ...broken, response })).rejects.toMatchObject(badRequest);
    // The refused answer has consumed the challenge.
    await expect(add(ctx, key.create(challenge))).rejects.toMatchObject(badRequest);
    expect(await hasSecondFactor(anonymous.db, id)).toBe(false);
  });

  it('409: the same credential again, also by another account', async () => {
    const { authenticator } = await protectedAccount();
    const other = await account();
    await expect(addTo(other.ctx, {}, authenticator)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('a login with a passkey', () => {
  it('takes a recovery code as well', async () => {
    const { id, email, recoveryCodes } = await protectedAccount();
    const [code = ''] = recoveryCodes;
    const token = await pendingLogin(email);
    expect(await finishLogin.run(anonymous, { token, code })).toEqual({ id, email });
  });

  it('401: an answer for another login, another origin, another key, or a second time', async () => {
    const { email, authenticator } = await protectedAccount();
    const token = await pendingLogin(email);
    const challenge = async () => challengeIn(await challengeLogin.run(anonymous, { token }));
    const finish = (passkey: ReturnType<typeof authenticator.get>, by = token) =>
      finishLogin.run(anonymous, { token: by, passkey });

    const elsewhere = authenticator.get(await challenge(), 'https://evil.test');
    await expect(finish(elsewhere)).rejects.toMatchObject(refused);
    const foreign = createAuthenticator(origin).get(await challenge());
    await expect(finish(foreign)).rejects.toMatchObject(refused);
    const forged = { ...createAuthenticator(origin).get(await challenge()), id: authenticator.get('x').id };
    await expect(finish(forged)).rejects.toMatchObject(refused);

    const mine = authenticator.get(await challenge());
    const ofAnother = await protectedAccount();
    await expect(finish(mine, await pendingLogin(ofAnother.email))).rejects.toMatchObject(refused);
    expect(await finish(mine)).toMatchObject({ email });
    await expect(finish(mine)).rejects.toMatchObject(refused);
  });

  it('401: a copy of the authenticator, whose counter is behind', async () => {
    const { email, authenticator } = await protectedAccount();
    const token = await pendingLogin(email);
    const answer = async () => authenticator.get(challengeIn(await challengeLogin.run(anonymous, { token })));
    await finishLogin.run(anonymous, { token, passkey: await answer() });
    authenticator.turnBack();
    await expect(finishLogin.run(anonymous, { token, passkey: await answer() })).rejects.toMatchObject(
      refused,
    );
  });

  it('200 again and again: with an authenticator that does not count', async () => {
    const { id, email, authenticator } = await protectedAccount({ counts: false });
    const token = await pendingLogin(email);
    for (let round = 0; round < 2; round += 1) {
      const passkey = authenticator.get(challengeIn(await challengeLogin.run(anonymous, { token })));
      expect(await finishLogin.run(anonymous, { token, passkey })).toEqual({ id, email });
    }
  });

  it('counts wrong answers like wrong codes: 429 after 10', async () => {
    const { email } = await protectedAccount();
    const token = await pendingLogin(email);
    const wrong = () =>
      finishLogin.run(anonymous, { token, passkey: createAuthenticator(origin).get('guess') });
    for (let tries = 0; tries < 10; tries += 1) await expect(wrong()).rejects.toMatchObject(refused);
    await expect(wrong()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('422: neither a code nor an answer; no challenge for an account without a passkey', async () => {
    const { email, ctx } = await protectedAccount();
    const token = await pendingLogin(email);
    await expect(finishLogin.run(anonymous, { token })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(challengeLogin.run(anonymous, { token: 'x' })).rejects.toMatchObject(refused);
    expect((await challengePasskey.run(ctx, {})).options).not.toBeNull();
    expect((await challengePasskey.run((await account()).ctx, {})).options).toBeNull();
  });
});

describe('removing', () => {
  const proveWith = async (
    ctx: Context,
    { authenticator }: { authenticator: ReturnType<typeof createAuthenticator> },
  ) => ({ passkey: authenticator.get(challengeIn(await challengePasskey.run(ctx, {}))) });

  it('the last passkey turns the second factor off, recovery codes included', async () => {
    const made = await protectedAccount();
    const { ctx, email, id, passkey } = made;
    await expect(removePasskey.run(ctx, { id: passkey.id })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await removePasskey.run(ctx, { id: passkey.id, ...(await proveWith(ctx, made)) });
    expect(await getSecondFactors.run(ctx, {})).toEqual({
      authenticatorApp: null,
      passkeys: [],
      recoveryCodesLeft: 0,
      needsPassword: false,
    });
    expect(await login.run(anonymous, { email, password })).toEqual({ id, email });
  });

  it('one of two leaves the other and the recovery codes', async () => {
    const made = await protectedAccount();
    const { ctx, passkey } = made;
    await addTo(ctx, await proveWith(ctx, made));
    await removePasskey.run(ctx, { id: passkey.id, ...(await proveWith(ctx, made)) });
    expect(await getSecondFactors.run(ctx, {})).toMatchObject({
      passkeys: [expect.anything()],
      recoveryCodesLeft: 10,
    });
  });

  it("404: another account's passkey, which stays", async () => {
    const made = await protectedAccount();
    const other = await protectedAccount();
    const proof = await proveWith(made.ctx, made);
    await expect(removePasskey.run(made.ctx, { id: other.passkey.id, ...proof })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    expect((await getSecondFactors.run(other.ctx, {})).passkeys).toHaveLength(1);
  });

  it('an answer of a passkey renews the recovery codes, and turns everything off', async () => {
    const made = await protectedAccount();
    const { ctx } = made;
    const { recoveryCodes } = await renewRecoveryCodes.run(ctx, await proveWith(ctx, made));
    expect(recoveryCodes).toHaveLength(10);
    expect(recoveryCodes).not.toEqual(made.recoveryCodes);
    await removeSecondFactors.run(ctx, await proveWith(ctx, made));
    expect((await getSecondFactors.run(ctx, {})).passkeys).toEqual([]);
  });
});

it('a project that asks for a second factor accepts a passkey', async () => {
  const { id, ctx } = await protectedAccount();
  const project = await createProject.run(ctx, { name: 'Protected' });
  await test.services.database.prisma.project.update({
    where: { id: project.id },
    data: { requireSecondFactor: true },
  });
  const member = () => findMembership(test.services.database, id, project.id);
  expect(await member()).toMatchObject({ lacksSecondFactor: false });
  await test.services.database.prisma.passkey.deleteMany({ where: { userId: id } });
  expect(await member()).toMatchObject({ lacksSecondFactor: true });
});
