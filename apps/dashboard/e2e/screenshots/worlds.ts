import { loadInsight } from '@postrider/bench/insight-data';
import { openPool } from '@postrider/core/base/db';
import { allowFixtures } from '@postrider/core/testing/template-database.ts';
import type { BrowserContext, Page } from 'playwright-core';

/** Creates a project as a user does. Returns its id. */
export async function addEmptyProject(
  context: BrowserContext,
  dashboard: string,
  name: string,
): Promise<string> {
  const page = await context.newPage();
  await page.goto(`${dashboard}/new-project`);
  const before = page.url();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Name').press('Enter');
  await page.waitForURL((url) => url.href !== before && url.pathname.startsWith('/p/'));
  const [, id = ''] = /\/p\/([^/?]+)/.exec(page.url()) ?? [];
  await page.close();
  return id;
}

interface Filling {
  dashboard: string;
  database: string;
  projectId: string;
  contacts: number;
}

const historyEmails = 100_000;

/** Contacts and the email of 90 days by SQL, because there are many, and records with the longest names by the API. */
export async function fillProject(
  context: BrowserContext,
  { dashboard, database, projectId, contacts }: Filling,
): Promise<void> {
  const pool = openPool({ connectionString: database });
  await loadInsight(pool, { projectId, emails: historyEmails, log: () => undefined });
  await pool.query(
    `UPDATE "Campaign" SET "name" = left("name" || repeat(' with a name that is as long as names can be', 5), 200), "body" = $2
     WHERE "projectId" = $1`,
    [projectId, newsletter],
  );
  await pool.query(`UPDATE "Content" SET "body" = $2 WHERE "projectId" = $1`, [projectId, newsletter]);
  await pool.query(allowFixtures);
  await pool.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "data", "createdAt")
     SELECT uuid7(), $1, 'reader-' || n || '.with.a.rather.long.address@subdomain.example.com', n % 9 <> 0,
       jsonb_build_object('firstName', 'Reader ' || n, 'plan', (ARRAY['free', 'pro', 'team'])[1 + n % 3], 'seats', n % 40),
       now() - n * interval '2 seconds'
     FROM generate_series(1, $2::int) n`,
    [projectId, contacts],
  );
  await pool.query('ANALYZE "Contact"');
  await pool.end();

  const page = await context.newPage();
  await page.goto(`${dashboard}/p/${projectId}`);
  const sandboxFrom = await sandboxOf(dashboard);
  const content = { subject: long('Subject'), body: '<p>Hello {{firstName ?? there}}</p>' };
  for (let n = 1; n <= 12; n += 1) {
    const sender = { from: sandboxFrom, type: 'MARKETING' };
    await call(page, projectId, 'templates.create', {
      name: long(`Template ${n}`, 100),
      ...content,
      ...sender,
    });
    await call(page, projectId, 'segments.create', {
      name: long(`Segment ${n}`, 100),
      condition: {
        logic: 'AND',
        groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
      },
    });
    await call(page, projectId, 'campaigns.create', {
      name: long(`Campaign ${n}`),
      ...content,
      ...sender,
      audienceType: 'ALL',
    });
  }
  await page.close();
}

const newsletter = `<h1>Spring is here</h1><p>Hello {{firstName ?? there}},</p><p>This week: what to sow, what to prune, and what can wait.</p>
<p><a href="https://shop.test/page/1">See the collection</a> or <a href="https://shop.test/page/2">read the guide</a></p>`;

/** The sender that needs no domain. */
export async function sandboxOf(dashboard: string): Promise<string> {
  const { features } = (await (await fetch(`${dashboard}/config`)).json()) as {
    features: { email: { sandboxFrom: string } };
  };
  return features.email.sandboxFrom;
}

/** A name of this length. */
export const long = (start: string, length = 200): string =>
  `${start} ${'with a name that is as long as names can be '.repeat(5)}`.slice(0, length);

/** An operation of the dashboard's API, with the session of the page. Returns its result. */
export async function call(page: Page, projectId: string, path: string, input: unknown): Promise<unknown> {
  const answer = await page.evaluate(
    async ([url, project, body]) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-project-id': project },
        body,
      });
      return { ok: response.ok, text: await response.text() };
    },
    [`/trpc/${path}`, projectId, JSON.stringify(input)] as const,
  );
  if (!answer.ok) throw new Error(`${path}: ${answer.text}`);
  return (JSON.parse(answer.text) as { result: { data: unknown } }).result.data;
}
