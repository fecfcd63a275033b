import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { choose, type DemoApp, entered, goTo, logIn, mailedLink, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

const email = `new-${randomBytes(4).toString('hex')}@people.test`;
const password = 'correct horse battery';

const headline = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

const linkOf = (subject: RegExp): Promise<string> => mailedLink(app, email, subject);

/** Answers as a device with passkeys would, without a dialog. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function invited(owner: Page): Promise<void> {
  await owner.getByLabel('Email', { exact: true }).fill(email);
  await owner.getByRole('button', { name: 'Send invitation' }).click();
  const row = owner.getByRole('row', { name: email });
  await row.getByText('Invited', { exact: true }).filter({ visible: true }).waitFor();
}

async function removed(owner: Page): Promise<void> {
  await owner.getByRole('button', { name: `Remove ${email}` }).click();
  await owner.getByRole('button', { name: 'Remove member' }).click();
  await owner.getByRole('row', { name: email }).waitFor({ state: 'detached' });
}

it('a person is invited, joins by mail, protects the account with a passkey, gets a role, resets the password, is removed, accepts again, declines, and deletes the account', async () => {
  const owner = await visitDemo(app);
  await goTo(owner, 'Members');
  await headline(owner, 'Members');
  await invited(owner);
  const row = owner.getByRole('row', { name: email });

  const person = await app.visit('/login');
  await addAuthenticator(person);
  await person.goto(await linkOf(/You are invited/));
  await person.getByText('The invitation is for').waitFor();
  await person.getByLabel('Password').fill(password);
  await person.getByRole('button', { name: 'Sign up' }).click();
  await entered(person, 'Demo');

  await person.goto(`${app.stack.urls.dashboard}/account`);
  await person.getByRole('button', { name: 'Add a passkey' }).click();
  await person.getByLabel('Name', { exact: true }).fill('Work laptop');
  await person.getByRole('button', { name: 'Continue' }).click();
  await person.getByText('Keep these recovery codes').waitFor();
  await person.getByRole('button', { name: 'I have saved them' }).click();
  await person.getByRole('row', { name: 'Work laptop' }).getByText('Never').waitFor();

  await person.context().clearCookies();
  await person.goto(`${app.stack.urls.dashboard}/forgot-password`);
  await person.getByLabel('Email').fill(email);
  await person.getByRole('button', { name: 'Send reset link' }).click();
  await person.getByText('Check your inbox').waitFor();
  await person.goto(await linkOf(/Reset/));
  await person.getByLabel('New password', { exact: true }).fill(`${password} staple`);
  await person.getByRole('button', { name: 'Set password' }).click();
  await person.getByRole('link', { name: 'Log in' }).click();
  await logIn(person, { email, password: `${password} staple` });
  await person.getByRole('button', { name: 'Use a passkey' }).click();
  await entered(person, 'Demo');

  await owner.reload();
  await row.getByText('Active', { exact: true }).filter({ visible: true }).waitFor();
  await choose(owner.getByLabel(`Role of ${email}`), 'Admin');
  await owner.getByText(`${email} is now an admin`).waitFor();
  await removed(owner);
  await person.goto(app.stack.urls.dashboard);
  await headline(person, 'Create your first project');

  await invited(owner);
  await person.reload();
  await person.getByText('You are invited to “Demo”').waitFor();
  await person.getByRole('button', { name: 'Accept' }).click();
  await entered(person, 'Demo');
  await owner.reload();
  await removed(owner);
  await invited(owner);
  await person.goto(app.stack.urls.dashboard);
  await headline(person, 'Create your first project');
  await person.getByRole('button', { name: 'Decline' }).click();
  await person.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await person.getByText('You are invited to “Demo”').waitFor({ state: 'detached' });
  await owner.reload();
  await row.getByText('Declined', { exact: true }).filter({ visible: true }).waitFor();

  await person.getByLabel('Name', { exact: true }).fill('Short-lived');
  await person.getByRole('button', { name: 'Create project' }).click();
  await entered(person, 'Short-lived');
  await goTo(person, 'Settings');
  await person.getByRole('button', { name: 'Delete project' }).click();
  const dialog = person.getByRole('dialog');
  await dialog.getByLabel('to confirm').fill('Short-lived');
  await dialog.getByRole('button', { name: 'Delete project' }).click();
  await headline(person, 'Create your first project');

  await person.goto(`${app.stack.urls.dashboard}/account`);
  await person.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByLabel('Password').fill(`${password} staple`);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.getByText('Your passkey is confirmed').waitFor();
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await headline(person, 'Log in');

  await person.context().close();
  await owner.context().close();
});
