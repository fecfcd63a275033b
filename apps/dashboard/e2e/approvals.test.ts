import { afterAll, beforeAll, expect, it } from 'vitest';
import { choose, type DemoApp, goTo, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

const shots = process.env['SHOTS'];

it('a person makes a key for an agent, sees what it asks for, and decides', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'API keys');
  await page
    .getByRole('button', { name: /(create|add) key|new key/i })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The agent');
  await choose(dialog.getByLabel('Scope'), 'Agent: a person agrees to what sends or deletes');
  await dialog.getByRole('button', { name: /create|add/i }).click();
  await dialog
    .getByText(/sk_[0-9a-f]{64}/)
    .first()
    .waitFor();
  const key = /sk_[0-9a-f]{64}/.exec(await dialog.innerText())?.[0] ?? '';
  expect(key).not.toBe('');
  await page.keyboard.press('Escape');

  const send = async (subject: string): Promise<string> => {
    const answer = await fetch(`${app.stack.urls.api}/v1/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ to: 'reader@example.com', from: app.demo.from, subject },
        body: '<h1>Hello {{name}}</h1>',
        data: { name: 'Ada' },
      }),
    });
    const { error } = (await answer.json()) as { error: { code: string; details: { url: string } } };
    expect(error.code).toBe('APPROVAL_REQUIRED');
    return error.details.url;
  };
  const first = await send('Asked for');
  const second = await send('Not wanted');

  await page.reload();
  await page.getByTitle('2 approvals wait').waitFor();
  await goTo(page, 'Approvals');
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  await page.getByText('Waits for you').first().waitFor();
  if (shots) await page.screenshot({ path: `${shots}/approvals.png` });

  await page.goto(first);
  await page.getByText('1 email would be sent.').waitFor();
  await page.getByText('reader@example.com', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Email: Asked for' }).waitFor();
  if (shots) await page.screenshot({ path: `${shots}/approval.png`, fullPage: true });
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Done', { exact: true }).waitFor();

  await page.goto(second);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByLabel('Reason').fill('Wrong reader');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Declined', { exact: true }).waitFor();
  await page.getByText('Wrong reader').waitFor();
});
