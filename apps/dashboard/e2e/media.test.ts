import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { type DemoApp, goTo, htmlOf, startDemoApp, typeHtml, visitDemo, writeHtml } from './app.ts';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const file = (name: string) => ({ name, mimeType: 'image/gif', buffer: gif });

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(app.stack.urls.api + path, {
    method,
    headers: { authorization: `Bearer ${app.demo.secretKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return answer.json();
}

describe('an image', () => {
  it('is uploaded through the picker and becomes the logo of the brand', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Settings');
    await page.getByRole('button', { name: 'Choose image' }).click();
    const picker = page.getByRole('dialog', { name: 'Choose an image' });
    await picker.getByText('No images yet').waitFor();
    await picker.getByLabel('Image files').setInputFiles(file('our logo.gif'));
    await picker.getByRole('button', { name: 'our logo.gif', pressed: true }).waitFor();
    // The page behind a dialog is hidden, and the dialog keeps the focus.
    const found = (await violations(page)).filter((each) => !each.startsWith('aria_hidden_nontabbable'));
    expect(found).toEqual([]);
    await picker.getByRole('button', { name: 'Use as logo' }).click();
    await page.getByRole('img', { name: 'Logo of Demo' }).waitFor();
    await page.getByRole('button', { name: 'Save brand' }).click();
    await said(page, 'Brand saved');

    await page.reload();
    await page.getByRole('img', { name: 'Logo of Demo' }).waitFor();
    const width = `document.querySelector('img[alt="Logo of Demo"]').naturalWidth`;
    await expect.poll(() => page.evaluate(width)).toBe(1);
    await page.context().close();
  });

  it('of a kind that mail programs do not show is refused in words, and the others are uploaded', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Media');
    await page
      .getByLabel('Image files')
      .first()
      .setInputFiles([
        { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
        file('shoes.gif'),
      ]);
    await page.getByRole('alert').filter({ hasText: 'drawing.svg: Only JPEG, PNG, GIF and WebP' }).waitFor();
    await page.getByText('shoes.gif', { exact: true }).waitFor();
    await page.context().close();
  });

  it('is found by its name and deleted after typing a word', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Media');
    await page.getByLabel('Search by name').fill('SHOES');
    await page.waitForURL(/q=SHOES/);
    await page.getByRole('button', { name: 'Actions for shoes.gif' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete shoes.gif?' });
    await question.getByText('including those already sent').waitFor();
    expect(await question.getByRole('button', { name: 'Delete image' }).isDisabled()).toBe(true);
    await question.getByLabel('Type delete to confirm').fill('delete');
    await question.getByRole('button', { name: 'Delete image' }).click();
    await said(page, 'shoes.gif deleted');
    await page.getByText('No images match your search').waitFor();
    await page.context().close();
  });
});

it('an image and a saved block are inserted into the code of an email where the caret is', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  const body = await writeHtml(page, '<p>Open from 9 to 5.</p>');
  await body.press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Save as block' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Opening hours');
  await page.getByRole('button', { name: 'Save block' }).click();
  await said(page, 'Block “Opening hours” saved');

  await typeHtml(page, '<h1>Hello</h1>');
  await body.press('ControlOrMeta+End');
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await page.getByRole('button', { name: 'Insert Opening hours' }).click();
  await expect.poll(() => htmlOf(page)).toBe('<h1>Hello</h1><p>Open from 9 to 5.</p>');
  await body.press('ControlOrMeta+Home');
  await page.getByRole('button', { name: 'Image', exact: true }).click();
  await page.getByRole('button', { name: 'our logo.gif' }).click();
  await page.getByLabel('Alternative text').fill('Our logo');
  await page.getByRole('button', { name: 'Insert image' }).click();
  await expect.poll(() => htmlOf(page)).toMatch(/^<img src="[^"]+" alt="Our logo" width="1" [^>]+><h1>/);
  await page.context().close();
});

it('an older version of a template is compared with the present one and restored, which can be undone', async () => {
  const { data } = (await ask('GET', '/templates?search=Welcome')) as {
    data: { id: string; subject: string }[];
  };
  const [template] = data;
  if (!template) throw new Error('the demo project has no template');
  await ask('PATCH', `/templates/${template.id}`, { subject: 'Second subject', body: '<p>Second body</p>' });

  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'Welcome' }).click();
  await page.getByRole('heading', { name: 'Second subject' }).waitFor();
  await page.getByRole('link', { name: 'Version 1' }).click();
  await page.getByText('Now: Second subject').waitFor();
  await page.frameLocator('iframe[title^="Current version"]').getByText('Second body').waitFor();
  await page.getByRole('tab', { name: 'Code' }).click();
  await page.getByRole('textbox', { name: 'Current version' }).getByText('Second body').waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await said(page, 'Version 1 restored');
  // As a contact without data gets it.
  await page.getByRole('heading', { name: 'Welcome, there' }).waitFor();
  expect(await ask('GET', `/templates/${template.id}`)).toMatchObject({ subject: template.subject });
  await page.getByRole('link', { name: 'Version 3' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await said(page, 'Version 2 restored');
  await page.getByRole('heading', { name: 'Second subject' }).waitFor();
  await page.context().close();
});
