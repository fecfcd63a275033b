import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, entered, logIn, mailedLink, startApp } from './app.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const email = `cfo-${randomBytes(4).toString('hex')}@people.test`;
const attackersPassword = 'correct horse battery';
const ownPassword = 'correct horse staple';

/** What the session of a browser is told about its account. */
async function account(page: Page): Promise<{ status: number; emailVerified?: boolean }> {
  const answer = await page.request.get(`${app.stack.urls.api}/users/@me`);
  const { emailVerified } = (await answer.json()) as { emailVerified?: boolean };
  return { status: answer.status(), ...(answer.ok() && { emailVerified }) };
}

it('a verification link opened by the owner of an address that somebody else signed up with: nothing is proven without a password, and a new one ends the sessions of the other', async () => {
  const attacker = await app.visit('/signup');
  await attacker.getByLabel('Email').fill(email);
  await attacker.getByLabel('Password').fill(attackersPassword);
  await attacker.getByRole('button', { name: 'Sign up' }).click();
  await attacker.getByLabel('Name', { exact: true }).fill('Trap');
  await attacker.getByRole('button', { name: 'Create project' }).click();
  await entered(attacker, 'Trap');
  await attacker.getByRole('button', { name: /^Confirm your address/ }).click();
  await attacker.getByRole('button', { name: 'Send me the link' }).click();
  await attacker.getByText(/^The link is on its way to/).waitFor();
  const link = await mailedLink(app, email, /verify|confirm/i);

  const owner = await app.visit('/login');
  await owner.goto(link);
  await owner.getByRole('button', { name: 'Verify email address' }).click();
  await owner.getByText('This account was created before its address was confirmed.').waitFor();
  await owner.getByLabel('Password', { exact: true }).fill('not the password');
  await owner.getByRole('button', { name: 'Verify email address' }).click();
  await owner.getByRole('alert').waitFor();
  expect(await account(attacker)).toEqual({ status: 200, emailVerified: false });

  await owner.getByRole('button', { name: 'Set a new password instead' }).click();
  await owner.getByLabel('New password').fill(ownPassword);
  await owner.getByRole('button', { name: 'Set password and verify' }).click();
  await owner.getByText(`${email} is verified.`).waitFor();
  expect((await account(attacker)).status).toBe(401);
  await attacker.goto(app.stack.urls.dashboard);
  await attacker.getByRole('button', { name: 'Log in' }).waitFor();

  await owner.getByRole('link', { name: 'Log in' }).click();
  await logIn(owner, { email, password: ownPassword });
  await entered(owner, 'Trap');
  expect(await account(owner)).toEqual({ status: 200, emailVerified: true });
  await attacker.context().close();
  await owner.context().close();
});
