import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runOn } from '@postrider/core/testing/template-database.ts';
import { freePort } from '@postrider/local/ports';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type App, startApp } from './app.ts';

/** The first account of an installation with disabled sign-ups (behaviour B11.6): an api of its own on an empty database. */
const entry = fileURLToPath(new URL('../../api/src/server.ts', import.meta.url));
const name = `closed_${randomBytes(4).toString('hex')}`;
const { env } = inject('app');

let app: App;
let product: ChildProcess;
let url: string;
/** what the api tells the operator in its log */
let setupLink: string;

beforeAll(async () => {
  app = await startApp();
  await runOn(env['DATABASE_URL'] ?? '', `CREATE DATABASE "${name}" TEMPLATE template0`);
  const database = new URL(env['DATABASE_URL'] ?? '');
  database.pathname = `/${name}`;
  url = `http://localhost:${await freePort()}`;
  product = fork(entry, [], {
    env: {
      ...process.env,
      ...env,
      DATABASE_URL: database.href,
      PORT: new URL(url).port,
      API_URL: url,
      DASHBOARD_URL: url,
      SIGNUPS_DISABLED: 'true',
      LOG_LEVEL: 'info',
    },
    silent: true,
  });
  setupLink = await linkInLog(product);
});
afterAll(async () => {
  if (product?.exitCode === null) {
    product.kill();
    await once(product, 'exit');
  }
  await runOn(env['DATABASE_URL'] ?? '', `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  await app?.close();
});

async function linkInLog({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The api has no log.');
  for await (const line of createInterface({ input: stdout })) {
    const link = /To create the first account open (http[^\s"]+)/.exec(line)?.[1];
    if (link === undefined) continue;
    stdout.resume();
    return link;
  }
  throw new Error('The api ended without naming the link.');
}

/** @returns the status of the sign-up */
async function signUp(page: Page, email: string): Promise<number> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('correct horse battery');
  const replied = page.waitForResponse((response) => new URL(response.url()).pathname === '/auth/signup');
  await page.getByRole('button', { name: 'Sign up' }).click();
  return (await replied).status();
}

it('a closed installation gives its first account to the link in the log of the api, and to nobody else', async () => {
  const stranger = await app.visit('/login');
  await stranger.goto(`${url}/signup`);
  await stranger.getByText('You need an invitation to sign up on this installation.').waitFor();
  expect(await signUp(stranger, 'stranger@people.test')).toBe(403);
  await stranger.goto(`${url}/auth/signup?setup=${'0'.repeat(64)}`);
  expect(await signUp(stranger, 'stranger@people.test')).toBe(403);

  const operator = await app.visit('/login');
  await operator.goto(setupLink);
  expect(await signUp(operator, 'operator@people.test')).toBe(201);
  await operator.getByRole('heading', { level: 1, name: 'Create your first project' }).waitFor();

  await stranger.goto(setupLink);
  expect(await signUp(stranger, 'stranger@people.test')).toBe(403);
  await stranger.context().close();
  await operator.context().close();
});
