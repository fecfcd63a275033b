import { Buffer } from 'node:buffer';
import { compileDesign } from '@postrider/core/content/templates/contract';
import { parse } from 'parse5';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { violations, wear } from './accessibility.ts';
import {
  choose,
  chooseField,
  closeDesign,
  type DemoApp,
  goTo,
  htmlOf,
  openDesign,
  startDemoApp,
  typeHtml,
  visitDemo,
  writeHtml,
} from './app.ts';
import { pictureSvg, pictures, tenBlocks } from './ten-blocks.ts';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

/** What a dialog hides from screen readers keeps no focus either, which the rule about it does not see. */
const violationsInDialog = async (page: Page): Promise<string[]> =>
  (await violations(page)).filter((each) => !each.startsWith('aria_hidden_nontabbable'));

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Email design' });

async function insert(page: Page, block: string): Promise<void> {
  await page.getByRole('button', { name: 'Insert', exact: true }).click();
  await page.getByRole('menuitem', { name: block, exact: true }).click();
}

it('writes a template without HTML, and opens it again as it was', async () => {
  const page = await visitDemo(app);
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Made visually');
  await page.getByLabel('Subject').fill('Your {{plan}} plan');
  const editor = await openDesign(page);
  await editor.getByText('Write your message here.').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Your plan is {{pl');
  await page.keyboard.type('an ?? free}} now.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/two');
  await page.getByRole('option', { name: 'Two columns' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('On the left');
  await editor.getByText('Learn more').click();
  await page.getByLabel('Label', { exact: true }).fill('Open {{plan}}');
  await page.getByRole('region', { name: 'Button' }).getByLabel('Address').fill('example.com/start');
  await insert(page, 'Condition');
  await page.keyboard.type('Only for teams');
  await page.getByRole('button', { name: 'Write it as Liquid' }).click();
  await page.getByLabel('Show if').fill('seats > > 40');
  await page.getByText('This is no condition').waitFor();
  await page.getByLabel('Show if').fill('seats > 40');

  const html = await htmlOf(page);
  expect(html).toContain('<title>Your {{plan}} plan</title>');
  expect(html).toContain('Hello {{firstName ?? there}}</h1>');
  expect(html).toContain('Your plan is {{plan ?? free}} now.');
  expect(html).toContain('On the left');
  expect(html).toContain('href="https://example.com/start"');
  expect(html).toContain('>Open {{plan}}</a>');
  expect(html).toMatch(/\{% if seats > 40 %\}\n<p [^>]*>Only for teams<\/p>\n\{% endif %\}/);

  await closeDesign(page);
  await page.getByRole('button', { name: 'Save template' }).click();
  await page.getByRole('heading', { level: 1, name: 'Made visually' }).waitFor();
  await page.getByRole('link', { name: 'Edit' }).click();
  await openDesign(page);
  await editorOf(page).getByText('On the left').waitFor();
  expect(await htmlOf(page)).toBe(html);
  expect(refusals).toEqual([]);
  await page.context().close();
});

it('opens a design again that was left for its HTML, and asks before it replaces HTML', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  // They change the HTML, which the next change of the design would replace.
  await page.getByRole('button', { name: 'Edit email' }).waitFor();
  expect(await page.getByRole('button', { name: 'Block', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await openDesign(page);
  await editorOf(page).getByText('Learn more').click();
  await page.getByLabel('Label', { exact: true }).fill('Read it');
  await closeDesign(page);
  const designed = await htmlOf(page);

  const code = await writeHtml(page, designed);
  await page.getByRole('button', { name: 'Visual', exact: true }).click();
  await editorOf(page).getByText('Read it').waitFor();
  await closeDesign(page);

  await writeHtml(page, '<p>Written by hand</p>');
  await page.getByRole('button', { name: 'Visual', exact: true }).click();
  await page.getByText('replaces the HTML of this email').waitFor();
  await page.getByRole('button', { name: 'Replace the HTML' }).click();
  await editorOf(page).getByText('Read it').waitFor();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await code.waitFor();
  expect(await htmlOf(page)).toBe('<p>Written by hand</p>');
  await page.context().close();
});

it('undoes changes of blocks and of the whole email, also after it was closed', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  const before = await htmlOf(page);
  const editor = await openDesign(page);
  await editor.getByText('Learn more').click();
  await page.getByLabel('Padding in pixels').fill('24');
  await page.getByRole('region', { name: 'Whole email' }).getByLabel('Corners in pixels').fill('0');
  const changed = await htmlOf(page);
  expect(changed).toContain('padding:24px 48px');
  expect(changed).toContain('border-radius:0px');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page
    .getByRole('region', { name: 'Preview' })
    .frameLocator('iframe')
    .getByText('Learn more')
    .waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await closeDesign(page);
  await openDesign(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await htmlOf(page)).not.toContain('border-radius:0px');
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await htmlOf(page)).toBe(before);
  await page.context().close();
});

it('inserts a block where the cursor is, and shows the document as wide as it is read', async () => {
  const page = await visitDemo(app, { viewport: { width: 1440, height: 900 } });
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  const editor = await openDesign(page);
  expect(await editor.evaluate((element) => element.clientWidth)).toBe(600);
  await editor.getByText('Write your message here.').click();
  await insert(page, 'Two columns');
  await insert(page, 'Image');
  await insert(page, 'Heading 3');
  await page.keyboard.type('Below the picture');
  await editor.locator('.mail-column').first().getByRole('heading', { name: 'Below the picture' }).waitFor();
  await editor.getByText('Choose an image').click();
  await page.getByRole('dialog', { name: 'Choose an image' }).waitFor();
  await page.context().close();
});

it('sets sizes, space, widths and what phones do not show', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  const editor = await openDesign(page);
  await editor.getByText('Write your message here.').click();
  const text = page.getByRole('region', { name: 'Text', exact: true });
  await text.getByLabel('Size in pixels').fill('20');
  await text.getByLabel('Line height in percent').fill('150');
  await text.getByRole('button', { name: 'Space and background' }).click();
  await text.getByLabel('Background behind it').fill('#e8edf9');
  await text.getByLabel('Hide on phones').check();
  expect(await htmlOf(page)).toMatch(
    /class="no-phone"[^>]*><tr><td style="padding:18px 18px 0px;background-color:#e8edf9">\n<p [^>]*font-size:20px;line-height:1.5;[^>]*>Write your message here/,
  );
  await text.getByRole('button', { name: 'Reset: size' }).click();
  expect(await htmlOf(page)).not.toContain('font-size:20px');

  await insert(page, 'Two columns');
  const columns = page.getByRole('region', { name: 'Columns' });
  await columns.getByRole('button', { name: '⅓ ⅔' }).click();
  await columns.getByRole('button', { name: 'Last first' }).click();
  const html = await htmlOf(page);
  expect(html).toMatch(/dir="rtl"><tr>\n<td class="column bare" width="344"/);
  expect(html).toContain('<td class="column bare" width="172"');
  await page.context().close();
});

it('shows a part of an email under conditions that are rows, and has an error where a row lacks something', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  const editor = await openDesign(page);
  await editor.getByText('Write your message here.').click();
  await insert(page, 'Condition');
  await page.keyboard.type('Thank you for staying');
  const condition = page.getByRole('region', { name: 'Condition' });
  const first = condition.getByRole('group', { name: 'Condition 1' });
  await chooseField(first, 'tier', 'Contact field “tier”');
  await first.getByLabel('Value', { exact: true }).fill('gold');
  await condition.getByRole('button', { name: 'Add condition' }).click();
  const second = condition.getByRole('group', { name: 'Condition 2' });
  await second.getByText('Select a field').last().waitFor();
  await chooseField(second, 'visits', 'Contact field “visits”');
  await choose(second.getByLabel('Value type'), 'Number');
  await choose(second.getByLabel('Operator'), 'is at least');
  await second.getByLabel('Number').fill('3');
  await condition.getByRole('button', { name: 'Any of these' }).click();
  expect(await htmlOf(page)).toContain('{% if tier == "gold" or visits >= 3 %}');
  await condition.getByRole('button', { name: 'Who do not' }).click();
  expect(await htmlOf(page)).toContain('{% unless tier == "gold" or visits >= 3 %}');
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await htmlOf(page)).toContain('{% if tier == "gold" or visits >= 3 %}');
  await page.context().close();
});

it('takes at most 25 actions for a newsletter with two columns, pictures, a button, a variable and a condition', async () => {
  const page = await visitDemo(app, { viewport: { width: 1440, height: 900 } });
  await goTo(page, 'Templates');
  let actions = 0;
  const act = async (action: Promise<unknown>) => {
    actions += 1;
    await action;
  };
  const editor = editorOf(page);
  const picker = page.getByRole('dialog', { name: 'Choose an image' });
  const pickImage = async (choose: () => Promise<unknown>) => {
    await act(editor.getByText('Choose an image').first().click());
    await act(choose());
    await act(picker.getByRole('button', { name: 'Insert image' }).click());
    await picker.waitFor({ state: 'detached' });
  };
  const upload = async () => {
    await picker.getByText('No images yet').waitFor();
    const file = { name: 'bed.gif', mimeType: 'image/gif', buffer: gif };
    await picker.getByLabel('Image files').first().setInputFiles(file);
  };

  await act(page.getByRole('link', { name: 'New template' }).click());
  await act(page.getByLabel('Name', { exact: true }).fill('Garden news'));
  await act(page.getByLabel('Subject').fill('News from the garden'));
  await act(page.getByRole('button', { name: 'Choose a template' }).click());
  await act(page.getByRole('button', { name: /^Newsletter/ }).click());
  await act(page.getByRole('button', { name: 'Edit email' }).click());
  await pickImage(upload);
  await pickImage(() => picker.getByRole('button', { name: 'bed.gif' }).click());
  await act(editor.getByText('The first story').click({ clickCount: 3 }));
  await act(page.keyboard.type('What to sow'));
  await act(editor.getByText('Read on').first().click());
  await act(page.getByRole('region', { name: 'Button' }).getByLabel('Address').fill('garden.example/sow'));
  await act(page.getByRole('button', { name: 'Insert', exact: true }).click());
  await act(page.getByRole('menuitem', { name: 'Condition', exact: true }).click());
  await act(page.keyboard.type('For members'));
  const row = page.getByRole('region', { name: 'Condition' }).getByRole('group', { name: 'Condition 1' });
  await act(row.getByLabel('Field', { exact: true }).click());
  await act(page.getByRole('option').first().click());
  await act(row.getByLabel('Value', { exact: true }).fill('club'));
  await act(closeDesign(page));
  await act(page.getByRole('button', { name: 'Save template' }).click());
  await page.getByRole('heading', { level: 1, name: 'Garden news' }).waitFor();
  expect(actions).toBeLessThanOrEqual(25);
  await page.context().close();
});

it('begins a campaign with a template of the project, which can be undone, and shows templates as pictures', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('button', { name: 'Pictures' }).click();
  await page
    .getByRole('list', { name: 'Templates' })
    .getByRole('link', { name: /^Welcome/ })
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'List' }).click();
  await goTo(page, 'Campaigns');
  await page.getByRole('link', { name: 'New campaign' }).click();
  await page.getByRole('button', { name: 'Choose a template' }).click();
  const gallery = page.getByRole('dialog', { name: 'Choose a template' });
  expect(await violationsInDialog(page)).toEqual([]);
  await gallery.getByRole('button', { name: 'Your templates' }).click();
  await gallery.getByRole('button', { name: /^Welcome/ }).click();
  await gallery.waitFor({ state: 'detached' });
  const subject = page.getByLabel('Subject', { exact: true });
  expect(await subject.inputValue()).not.toBe('');
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await subject.inputValue()).toBe('');
  await page.context().close();
});

it('writes HTML with completion, errors at their line and formatting, and previews it for devices, schemes and contacts', async () => {
  const page = await visitDemo(app);
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  const code = await writeHtml(page, '<p>Hello</p>');
  await code.press('End');
  await page.keyboard.type('{{ fi');
  await page.getByRole('option', { name: 'firstName ?? there' }).click();
  await expect.poll(() => htmlOf(page)).toBe('<p>Hello</p>{{ firstName ?? there }}');
  await code.press('ControlOrMeta+z');
  await expect.poll(() => htmlOf(page)).not.toContain('there');

  await typeHtml(page, '<p>One</p>\n<p>{% endif %}</p>');
  await page.locator('.cm-line', { hasText: 'endif' }).locator('.cm-lintRange-error').first().waitFor();
  await page.getByText(/line 2, column \d+/).waitFor();
  expect(await code.getAttribute('aria-invalid')).toBe('true');

  await typeHtml(page, '<div><p>Dear {{name ?? reader}}</p><p>{% if plan %}Pro{% endif %}</p></div>');
  await page.getByRole('button', { name: 'Format', exact: true }).click();
  await expect
    .poll(() => htmlOf(page))
    .toBe('<div>\n  <p>Dear {{name ?? reader}}</p>\n  <p>{% if plan %}Pro{% endif %}</p>\n</div>\n');
  await typeHtml(page, '<div>{% if a %}<p>{% endif %}</div>');
  await page.getByRole('button', { name: 'Format', exact: true }).click();
  await page.getByText('Not formatted, because the email could change').waitFor();
  expect(await htmlOf(page)).toBe('<div>{% if a %}<p>{% endif %}</div>');

  await typeHtml(page, '<p>Dear {{name ?? reader}}</p>');
  const preview = page.getByRole('region', { name: 'Preview' });
  const width = () => preview.locator('iframe').evaluate((frame) => frame.clientWidth);
  await preview.frameLocator('iframe').getByText('Dear reader').waitFor();
  await preview.getByRole('button', { name: 'Phone' }).click();
  await expect.poll(width).toBe(375);
  await preview.getByRole('button', { name: 'Desktop' }).click();
  await expect.poll(width).toBeGreaterThanOrEqual(600);
  await preview.getByRole('button', { name: 'Dark' }).click();
  await preview.getByText('This email has no dark styles').waitFor();
  await preview.getByRole('button', { name: 'Text', exact: true }).click();
  await preview.getByRole('region', { name: 'Text of the email' }).getByText('Dear reader').waitFor();
  await preview.getByLabel('Preview as').click();
  await page.getByRole('option', { name: /@/ }).first().click();
  await preview.getByLabel('Preview as').filter({ hasText: '@' }).waitFor();

  await code.focus();
  await page.keyboard.press('Tab');
  expect(await code.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await code.and(page.locator(':focus')).count()).toBe(0);
  for (const theme of ['light', 'dark'] as const) {
    await wear(page, theme);
    expect(await violations(page)).toEqual([]);
  }
  expect(refusals).toEqual([]);
  await page.context().close();
});

it('says what to correct before sending, and goes to the block of a finding', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByRole('button', { name: 'Checks · 2' }).click();
  const findings = page.getByRole('list', { name: 'Findings' });
  await findings.getByRole('button', { name: 'The link “Learn more” leads nowhere' }).click();
  await page.getByRole('region', { name: 'Button' }).getByLabel('Address').fill('https://postrider.dev');
  await closeDesign(page);
  await findings.getByRole('button', { name: 'The subject is empty' }).click();
  await page.keyboard.type('News of the week');
  await page.getByRole('button', { name: 'Checks · 1 hint' }).waitFor();
  await page.context().close();
});

it('formats selected text beside it, and moves blocks by keyboard and by dragging', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  const editor = await openDesign(page);
  await editor.getByText('Write your message here.').dblclick({ position: { x: 60, y: 10 } });
  const bubble = page.getByRole('toolbar', { name: 'Selected text' });
  await bubble.getByRole('button', { name: 'Bold' }).click();
  await bubble.getByRole('button', { name: 'Link' }).click();
  await page.getByLabel('Address of the link').fill('postrider.dev');
  await page.keyboard.press('Enter');
  expect(await htmlOf(page)).toMatch(
    /Write <strong><a [^>]*href="https:\/\/postrider.dev"[^>]*>your<\/a><\/strong>/,
  );

  const order = async () => (await htmlOf(page)).match(/>(Hello|Write|Learn more)/g);
  await editor.getByText('message here.').click();
  await page.keyboard.press('Alt+ArrowUp');
  expect(await order()).toEqual(['>Write', '>Hello', '>Learn more']);
  await page.keyboard.press('Alt+ArrowDown');
  expect(await order()).toEqual(['>Hello', '>Write', '>Learn more']);
  await editor.getByText('Learn more').hover();
  const top = { targetPosition: { x: 5, y: 1 } };
  await page.locator('[data-drag-handle]').dragTo(editor.getByRole('heading', { level: 1 }), top);
  expect(await order()).toEqual(['>Learn more', '>Hello', '>Write']);
  await page.context().close();
});

it('saves a block, and inserts it again as the block that it was', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  await openDesign(page);
  await editorOf(page).getByText('Learn more').click();
  await page.getByLabel('Label', { exact: true }).fill('Visit the shop');
  await page.getByRole('button', { name: 'Save as block' }).click();
  const naming = page.getByRole('dialog', { name: 'Save as block' });
  await naming.getByLabel('Name').fill('Shop button');
  await page.getByRole('button', { name: 'Save block' }).click();
  await naming.waitFor({ state: 'detached' });
  await page.getByLabel('Label', { exact: true }).fill('Learn more');
  await editorOf(page).getByText('Write your message here.').click();
  await insert(page, 'Saved block …');
  await page.getByRole('button', { name: 'Insert Shop button' }).click();
  await page.getByRole('region', { name: 'Button' }).waitFor();
  expect(await page.getByLabel('Label', { exact: true }).inputValue()).toBe('Visit the shop');
  expect(await htmlOf(page)).toMatch(/Write your message here.*Visit the shop.*Learn more/s);
  await page.context().close();
});

it('meets WCAG 2.2 AA in both themes while a block or a text is selected', async () => {
  const page = await visitDemo(app);
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  const found: string[] = [];
  const audit = async (state: string) => {
    for (const theme of ['light', 'dark'] as const) {
      await wear(page, theme);
      found.push(...(await violationsInDialog(page)).map((text) => `${state}, ${theme}: ${text}`));
    }
  };
  await page.getByRole('button', { name: /^Checks/ }).click();
  await audit('the email as it is sent');
  const editor = await openDesign(page);
  for (const block of [
    'Image',
    'HTML',
    'Condition',
    'Panel',
    'Postal address',
    'Two columns',
    'Social links',
  ])
    await insert(page, block);
  await audit('social links');
  await page.getByRole('button', { name: 'Space and background' }).first().click();
  await editor.locator('[data-block="image"]').click();
  await page.getByRole('dialog', { name: 'Choose an image' }).waitFor();
  await page.keyboard.press('Escape');
  await audit('an image');
  await editor.getByText('Write your message here.').dblclick({ position: { x: 60, y: 10 } });
  await page.getByRole('toolbar', { name: 'Selected text' }).waitFor();
  await audit('a text');
  expect(found).toEqual([]);
  await page.context().close();
});

describe('an email with every kind of block, as it is sent', () => {
  let mail: { html: string; text: string };
  beforeAll(async () => {
    mail = await sendEveryBlock();
  }, 60_000);

  it('is HTML without an error of the parser, with a language, a title and a text part, and is not cut off', () => {
    const { html, text } = mail;
    const errors: string[] = [];
    parse(html, { onParseError: ({ code }) => void errors.push(code) });
    expect(errors).toEqual([]);
    expect(html).toMatch(/^<!DOCTYPE html>\s*<html lang="en">/);
    expect(html).toContain('<title>Spring for Ada</title>');
    expect(Buffer.byteLength(html)).toBeLessThan(102 * 1024);
    for (const words of [
      'Spring is here, Ada',
      'See the calendar',
      'As a member',
      'Manage your subscription',
    ])
      expect(text).toContain(words);
  });

  it.each([320, 375, 600, 640, 800])('does not scroll sideways at %i pixels', async (width) => {
    const page = await app.visit('/login', { viewport: { width, height: 800 } });
    await page.goto('about:blank');
    await page.route('**', (route) =>
      route.request().url().startsWith(pictures)
        ? route.fulfill({ contentType: 'image/svg+xml', body: pictureSvg(route.request().url()) })
        : route.abort(),
    );
    await page.setContent(mail.html);
    await page.getByRole('img', { name: 'Three raised beds with young plants' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.context().close();
  });
});

/** Sends the design as a marketing template, and waits for it in the mailbox. */
async function sendEveryBlock(): Promise<{ html: string; text: string }> {
  const { demo, stack } = app;
  const ask = async (path: string, body: unknown): Promise<{ id: string }> => {
    const headers = { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(stack.urls.api + path, init);
    expect(answer.ok).toBe(true);
    return answer.json() as Promise<{ id: string }>;
  };
  const subject = 'Spring for {{name ?? "friend"}}';
  const template = await ask('/templates', {
    name: 'Every block',
    subject,
    preheader: 'What to sow this week',
    body: compileDesign(tenBlocks, { subject, language: 'en' }),
    design: tenBlocks,
    from: demo.from,
    type: 'MARKETING',
  });
  const to = 'gardener@example.com';
  const data = { name: 'Ada', plan: 'club' };
  await ask('/v1/send', { to, template: template.id, subscribed: true, data });
  const mailbox = `${stack.urls.mailbox}/api/messages`;
  const found = () => fetch(`${mailbox}?search=${encodeURIComponent('Spring for Ada')}`);
  return vi.waitFor(
    async () => {
      const { messages } = (await (await found()).json()) as { messages: { id: number }[] };
      const [message] = messages;
      expect(message).toBeDefined();
      return (await (await fetch(`${mailbox}/${message?.id}`)).json()) as { html: string; text: string };
    },
    { timeout: 60_000, interval: 200 },
  );
}
