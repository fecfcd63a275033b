import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { type DemoApp, goTo, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

async function ask<Answer>(method: string, path: string, body: object): Promise<Answer> {
  const answer = await fetch(app.stack.urls.api + path, {
    method,
    headers: { authorization: `Bearer ${app.demo.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text) as Answer;
}

const add = (email: string, data: object) =>
  ask<{ id: string }>('POST', '/contacts', { email, data, subscribed: true });
const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const topOf = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN;

/** Chooses a static segment of a dialog by its name, or makes one. */
async function chooseSegment(dialog: Locator, name: string): Promise<void> {
  const page = dialog.page();
  await dialog.getByRole('combobox', { name: 'Segment' }).click();
  await page.getByLabel('Search: Segment').fill(name);
  await page.getByRole('option', { name, exact: true }).click();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
}

it('a contact is a person: found by name, with what happened before the form, and can be suppressed and listed', async () => {
  const { id } = await add('j.novakova@people.example', {
    firstName: 'Jana',
    lastName: 'Nováková',
    plan: 'pro',
  });
  await ask('POST', '/events/track', { contactId: id, name: 'order.paid', data: { total: 90 } });
  const page = await visitDemo(app);
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await page.keyboard.press('Control+k');
  await palette.getByRole('option', { name: 'New campaign' }).waitFor();
  await page.keyboard.type('novakova');
  await palette.getByRole('option', { name: 'Jana Nováková' }).waitFor();
  await page.keyboard.press('Enter');
  await headline(page, 'Jana Nováková');
  await page.getByText('j.novakova@people.example').first().waitFor();

  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('order.paid').waitFor();
  const form = page.getByRole('region', { name: 'Address and data' });
  expect(await topOf(timeline)).toBeLessThan(await topOf(form));
  await page.getByRole('region', { name: 'Data', exact: true }).getByText('pro').waitFor();
  await page.getByRole('region', { name: 'Why no email?' }).waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Add to segment' }).click();
  await chooseSegment(page.getByRole('dialog', { name: 'Add Jana Nováková to a segment' }), 'Regulars');
  await page.getByRole('region', { name: 'Segments' }).getByRole('link', { name: 'Regulars' }).waitFor();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Suppress' }).click();
  await page.getByRole('button', { name: 'Suppress', exact: true }).click();
  await page.getByText('This address is suppressed').waitFor();
  await page.getByRole('region', { name: 'Why no email?' }).getByText('Unreachable').waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await headline(page, 'Jana Nováková');
  await timeline.getByText('order.paid').waitFor();
  const places = ['Timeline', 'Why no email?', 'Details', 'Address and data'].map((name) =>
    topOf(page.getByRole('region', { name })),
  );
  const tops = await Promise.all(places);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.context().close();
});

it('fields of the contacts that a search by name finds are set at once, and they become members of a new segment', async () => {
  for (const [address, name] of [
    ['sven@people.example', 'Sven Ångström'],
    ['liv@people.example', 'Liv Angstrom'],
  ] as const)
    await add(address, { name });
  const page = await visitDemo(app);
  await goTo(page, 'Contacts');
  await page.getByLabel('Search names and addresses').fill('angstrom');
  await page.getByText('2 contacts', { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  const bar = page.getByRole('region', { name: 'Selected contacts' });
  await bar.getByRole('button', { name: 'Set fields' }).click();
  const fields = page.getByRole('dialog', { name: 'Set fields of 2 contacts' });
  await fields.getByLabel('Name of field 1').fill('origin');
  await fields.getByLabel('Value of origin').fill('north');
  await fields.getByRole('button', { name: 'Save to 2 contacts' }).click();
  await fields.getByText('2 contacts updated').waitFor();
  await fields.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await bar.getByRole('button', { name: 'Add to segment' }).click();
  const segments = page.getByRole('dialog', { name: 'Add 2 contacts to a segment' });
  await chooseSegment(segments, 'North');
  await segments.getByText('2 contacts added').waitFor();
  await segments.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'sven@people.example' }).click();
  await headline(page, 'Sven Ångström');
  await page.getByRole('region', { name: 'Data', exact: true }).getByText('north').waitFor();
  await page.getByRole('region', { name: 'Segments' }).getByRole('link', { name: 'North' }).waitFor();
  await page.context().close();
});

it('a flood of activity is one row, whose items are a click away; people and events are searched', async () => {
  const { id } = await add('ola@people.example', { name: 'Ola Flood' });
  for (let index = 0; index < 3; index += 1)
    await ask('POST', '/events/track', { contactId: id, name: 'flood.seen', data: { index } });
  const page = await visitDemo(app);
  await goTo(page, 'Activity');
  await page.getByLabel('Search people and events').fill('flood');
  const row = page.getByRole('row').filter({ hasText: 'flood.seen' });
  await row.getByText('× 3').waitFor();
  await row.getByRole('link', { name: 'Show 3 items' }).first().click();
  await page.waitForURL(/view=items/);
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'flood.seen' }).count()).toBe(3);
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});

it('a link that is followed while a search is being typed is opened', async () => {
  const { id } = await add('typed@people.example', { name: 'Typed Early' });
  for (let index = 0; index < 2; index += 1)
    await ask('POST', '/events/track', { contactId: id, name: 'typed.early', data: { index } });
  const page = await visitDemo(app);
  const slow = await page.context().newCDPSession(page);
  await goTo(page, 'Activity');
  const row = page.getByRole('row').filter({ hasText: 'typed.early' });
  const search = page.getByLabel('Search people and events');
  await row.getByText('× 2').waitFor();
  // As on a busy machine: the address has changed long before the page is rendered with it.
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  for (const pauseMs of [0, 220, 250]) {
    await search.fill('typed');
    await row.evaluate(
      (element, pause) =>
        new Promise<void>((resolve) =>
          setTimeout(() => {
            element.querySelector<HTMLLinkElement>('a[href*="view=items"]')?.click();
            resolve();
          }, pause),
        ),
      pauseMs,
    );
    const isRead = async () => {
      const { searchParams } = new URL(page.url());
      return [searchParams.get('view'), (await search.inputValue()) === (searchParams.get('q') ?? '')];
    };
    await expect.poll(isRead, { timeout: 30_000 }).toEqual(['items', true]);
    // The address and the box change before the page does, and the row of a group has its words twice.
    await row.nth(1).waitFor();
    await expect.poll(isRead).toEqual(['items', true]);
    await goTo(page, 'Activity');
    await row.getByText('× 2').waitFor();
    expect(await row.count()).toBe(1);
  }
  await page.context().close();
}, 240_000);

it('the audit log names what was changed, also when it is gone', async () => {
  const create = (name: string) => ask<{ id: string }>('POST', '/segments', { name, type: 'STATIC' });
  await create('Audited list');
  const gone = await create('Forgotten list');
  const answer = await fetch(`${app.stack.urls.api}/segments/${gone.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${app.demo.secretKey}` },
  });
  expect(answer.status).toBe(204);
  const page = await visitDemo(app);
  await goTo(page, 'Audit log');
  await page
    .getByRole('row')
    .filter({ hasText: 'Segment deleted' })
    .getByText('Forgotten list')
    .last()
    .waitFor();
  await page.getByRole('link', { name: 'Audited list' }).first().click();
  await headline(page, 'Audited list');
  await page.context().close();
});
