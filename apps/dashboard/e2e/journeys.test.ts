import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, type DemoApp, entered, goTo, logIn, startDemoApp, visitDemo, writeHtml } from './app.ts';

const run = promisify(execFile);
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

const headline = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
/** The script is a string, because this program is compiled without DOM types. */
const copied = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()');

async function send(key: string, body: object): Promise<Response> {
  return fetch(`${app.stack.urls.api}/v1/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe('a new account', () => {
  it('gets a first project with working API keys', async () => {
    const page = await app.visit('/', clipboard);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await headline(page, 'Create your account');
    await page.getByLabel('Email').fill('ada@letters.example');
    await page.getByLabel('Password').fill('analytical engine');
    await page.getByRole('button', { name: 'Sign up' }).click();

    await headline(page, 'Create your first project');
    await page.getByLabel('Name').fill('Letters');
    await page.getByRole('button', { name: 'Create project' }).click();
    await entered(page, 'Letters');
    const steps = page.getByRole('listitem').filter({ hasText: '(to do)' });
    await steps.nth(5).waitFor();
    expect(await steps.count()).toBe(6);

    await goTo(page, 'API keys');
    const secret = page.getByTestId('secret-key');
    expect(await secret.textContent()).toMatch(/^sk_[0-9a-f]{4}•+[0-9a-f]{4}$/);
    await page.getByRole('button', { name: 'Reveal' }).click();
    const oldKey = (await secret.textContent()) ?? '';
    expect(oldKey).toMatch(/^sk_[0-9a-f]{64}$/);

    await page.getByRole('button', { name: 'Rotate keys' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate keys' }).click();
    await page.getByText('Both keys rotated').waitFor();
    await page.getByRole('button', { name: 'Copy: Secret key' }).click();
    const newKey = await copied(page);
    expect(newKey).toMatch(/^sk_[0-9a-f]{64}$/);
    const mail = { to: 'reader@example.com', from: 'a@letters.example', subject: 'x', body: '<p>x</p>' };
    expect((await send(oldKey, mail)).status).toBe(401);
    expect((await send(newKey, mail)).status).toBe(403);

    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Importer');
    await choose(dialog.getByLabel('Scope'), 'Read only');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const named = (await page.getByTestId('created-key').textContent()) ?? '';
    expect(named).toMatch(/^sk_[0-9a-f]{64}$/);
    expect((await send(named, mail)).status).toBe(403);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Delete the key Importer' }).click();
    await dialog.getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('Key deleted').waitFor();
    expect((await send(named, mail)).status).toBe(401);

    await goTo(page, 'Settings');
    await page.getByRole('button', { name: 'Delete project' }).click();
    expect(await dialog.getByRole('button', { name: 'Delete project' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type “Letters” to confirm').fill('Letters');
    await dialog.getByRole('button', { name: 'Delete project' }).click();
    await headline(page, 'Create your first project');
    expect((await send(newKey, mail)).status).toBe(401);
    await page.context().close();
  });

  it('sees validation errors of the server at the fields they concern', async () => {
    const page = await app.visit('/login');
    await logIn(page, { email: app.demo.email, password: 'not the password' });
    expect(await page.getByRole('alert').textContent()).not.toBe('');

    await page.getByRole('link', { name: 'Sign up' }).click();
    await headline(page, 'Create your account');
    await page.getByLabel('Email').fill(app.demo.email);
    await page.getByLabel('Password').fill('long enough');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'An account with this address already exists' })
      .waitFor();
    await page.context().close();

    const demo = await visitDemo(app);
    await goTo(demo, 'Domains');
    const field = demo.getByLabel('Domain', { exact: true });
    await field.fill('https://no.host.name');
    await demo.getByRole('button', { name: 'Add domain' }).click();
    await demo.getByText('Must be a host name').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await demo.locator(':focus').getAttribute('name')).toBe('domain');
    await demo.context().close();
  });
});

/** Notes whether the page ever showed the placeholder of a sender. */
const notePlaceholder = `globalThis.placeholderSeen = false;
  new MutationObserver(() => {
    globalThis.placeholderSeen ||= document.body?.textContent.includes('your-domain.example') ?? false;
  }).observe(document, { subtree: true, childList: true, characterData: true });`;

describe('the first email', () => {
  it('is sent by the copied curl command, and appears with its content', async () => {
    const page = await visitDemo(app, clipboard);
    await goTo(page, 'API keys');
    await page.getByRole('button', { name: 'Copy: REST' }).click();
    const { stdout } = await run('sh', ['-c', await copied(page)]);
    expect(JSON.parse(stdout), stdout).toMatchObject({ success: true });
    await page.getByRole('button', { name: 'Copy: GraphQL' }).click();
    const graphql = await run('sh', ['-c', await copied(page)]);
    expect(JSON.parse(graphql.stdout)).not.toHaveProperty('errors');

    await goTo(page, 'Emails');
    const row = page.getByRole('row').filter({ hasText: 'Hello there' });
    await row.filter({ hasText: 'Sent' }).waitFor();
    await row.getByRole('link', { name: 'reader@example.com' }).click();
    await headline(page, 'Hello there');
    const frame = page.locator('iframe');
    expect(await frame.getAttribute('sandbox')).toBe('');
    await page.frameLocator('iframe').getByText('Your first email from Postrider.').waitFor();
    await page.getByText('Accepted by the mail server', { exact: true }).waitFor();

    await page.getByRole('tab', { name: 'HTML' }).press('ArrowRight');
    await page
      .getByRole('region', { name: 'Plain text' })
      .getByText('Your first email from Postrider.')
      .waitFor();
    await page.context().close();
  });

  it('cannot be copied before its sender is known: a placeholder would be refused', async () => {
    const page = await visitDemo(app, clipboard);
    await goTo(page, 'API keys');
    // A reload before the page is there would load the one before again.
    await page.getByRole('button', { name: 'Copy: REST' }).waitFor();
    await page.addInitScript(notePlaceholder);
    await page.reload();
    await page.getByRole('button', { name: 'Copy: REST' }).click();
    expect(await page.evaluate<boolean>('globalThis.placeholderSeen')).toBe(false);
    expect(await copied(page)).toContain(app.demo.from);
    await page.context().close();
  });

  it('cannot run scripts when the dashboard shows it', async () => {
    const body =
      '<p id="proof">waiting</p><script>document.getElementById("proof").textContent = "ran"</script>';
    await send(app.demo.secretKey, {
      to: 'script@example.com',
      from: app.demo.from,
      subject: 'With a script',
      body,
    });
    const page = await visitDemo(app);
    await goTo(page, 'Emails');
    await page.getByRole('link', { name: 'script@example.com' }).click();
    expect(await page.frameLocator('iframe').locator('#proof').textContent()).toBe('waiting');
    await page.context().close();
  });
});

describe('a campaign', () => {
  it('is written, confirmed with its recipient count, and its figures update live until all email is sent', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Campaigns');
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Autumn newsletter');
    await page.getByLabel('Subject').fill('Autumn for {{firstName ?? you}}');
    await writeHtml(page, '<h1>Autumn</h1><p>Leaves and letters.</p>');
    await page.locator('iframe').scrollIntoViewIfNeeded();
    await page.frameLocator('iframe').getByText('Leaves and letters.').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();

    await headline(page, 'Edit campaign');
    // The recipients of the mail above are contacts too; they are not subscribed.
    await page
      .getByText(/^4,750 of 5,0\d\d contacts will get this email/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    const dialog = page.getByRole('dialog');
    const question = (await dialog.getByRole('heading').textContent()) ?? '';
    const announced = /^Send to ([\d,]+) recipients\?$/.exec(question)?.[1];
    expect(announced).toBe('4,750');
    await dialog.getByLabel('to confirm').fill('4,750');
    await dialog.getByRole('button', { name: 'Send to 4,750 recipients' }).click();
    await headline(page, 'Autumn newsletter');

    const main = page.getByRole('main');
    // The queued count can be 0 for a moment while the audience is still being frozen.
    await main.getByRole('row', { name: 'Sent 4,750 100%' }).waitFor({ timeout: 100_000 });
    await main.getByRole('row', { name: 'Queued 0 0%' }).waitFor();
    expect(await main.getByRole('row', { name: /^Recipients/ }).textContent()).toContain('4,750');
    await page.context().close();
  });
});

describe('a session', () => {
  it('ends on logout', async () => {
    // A session of its own: the other tests share one, which this ends.
    const page = await app.visit('/login');
    await logIn(page, app.demo);
    await entered(page, 'Demo');
    await page.getByRole('button', { name: 'Log out' }).click();
    await headline(page, 'Log in');
    await page.goto(app.stack.urls.dashboard);
    await headline(page, 'Log in');
    expect(await page.context().cookies()).toEqual([]);
    await page.context().close();
  });

  it('of a user with two projects shows each project separately, and reopens the one used last', async () => {
    const page = await visitDemo(app);
    await page.getByRole('button', { name: 'Project Demo, switch project' }).click();
    await page.getByRole('link', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('Other');
    await page.getByRole('button', { name: 'Create project' }).click();
    await entered(page, 'Other');
    await goTo(page, 'Contacts');
    await page.getByText('No contacts yet').waitFor();
    await page.getByRole('button', { name: 'Add contact' }).click();
    await page.getByRole('dialog').getByLabel('Email').fill('Only@Here.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Add contact' }).click();
    await page.getByRole('link', { name: 'only@here.example' }).waitFor();

    await page.goto(app.stack.urls.dashboard);
    await entered(page, 'Other');
    await page.getByRole('button', { name: 'Project Other, switch project' }).click();
    await page.getByLabel('Find a project').fill('dem');
    await page.keyboard.press('Enter');
    await entered(page, 'Demo');
    await goTo(page, 'Contacts');
    await page.getByText('contact-5000@people.example').waitFor();
    expect(await page.getByText('only@here.example').count()).toBe(0);
    await page.context().close();
  });
});
