import { compileDesign } from '@postrider/core/content/templates/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { tenBlocks } from '../ten-blocks.ts';
import { call, long } from './worlds.ts';

interface Team {
  dashboard: string;
  projectId: string;
  /** a verified sender, or the sandbox */
  from: string;
  /** how many records of each kind; above three, their names are as long as they can be */
  many: number;
}

/** What a team adds beside its email: images, keys, invitations, webhook endpoints, workflows, a template of the visual editor. */
export async function addTeamRecords(
  context: BrowserContext,
  { dashboard, projectId, from, many }: Team,
): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${dashboard}/p/${projectId}`);
  const named = (name: string, length: number): string => (many > 3 ? long(name, length) : name);
  let banner = '';
  for (let n = 1; n <= many; n += 1) {
    banner = await uploadImage(page, projectId, {
      name: `${named(`banner-${n}`, 90)}.png`,
      hue: (n * 67) % 360,
    });
    await call(page, projectId, 'keys.create', {
      id: projectId,
      name: named(`Shop ${n}`, 100),
      scope: ['send', 'read', 'full'][n % 3],
    });
    await call(page, projectId, 'members.invite', {
      id: projectId,
      email: `${many > 3 ? 'a.colleague.with.a.rather.long.address.' : 'colleague.'}${n}@example.com`,
      role: n % 2 === 0 ? 'MEMBER' : 'ADMIN',
    });
    await call(page, projectId, 'webhooks.create', {
      url: `https://hooks-${n}.example.com/${many > 3 ? 'a/long/path/'.repeat(15) : 'postrider'}`,
      description: named('Updates the shop', 200),
      types: n % 2 === 0 ? ['email.bounce', 'email.complaint', 'contact.unsubscribed'] : ['*'],
    });
    if (many > 3)
      await call(page, projectId, 'workflows.create', {
        name: long(`Workflow ${n}`, 100),
        eventName: 'signed up',
      });
  }
  await addDesignedTemplate(page, projectId, { from, banner });
  await page.close();
}

/** A template with three versions, whose images are all the same. */
async function addDesignedTemplate(
  page: Page,
  projectId: string,
  { from, banner }: { from: string; banner: string },
): Promise<void> {
  const design = JSON.parse(JSON.stringify(tenBlocks), (key, value: unknown) =>
    key === 'src' ? banner : value,
  ) as typeof tenBlocks;
  const content = (subject: string) => ({
    subject,
    from,
    body: compileDesign(design, { subject, language: 'en' }),
    design,
    type: 'MARKETING',
  });
  const created = await call(page, projectId, 'templates.create', {
    name: 'Spring newsletter',
    ...content('Spring is here'),
  });
  const { id } = created as { id: string };
  for (const subject of ['Spring is here, {{name}}', 'Spring is here, {{name ?? friend}}'])
    await call(page, projectId, 'templates.update', { id, ...content(subject) });
}

/** Uploads a banner of one hue, drawn by the browser. @returns its address */
async function uploadImage(
  page: Page,
  projectId: string,
  { name, hue }: { name: string; hue: number },
): Promise<string> {
  const canvas = await page.context().newPage();
  await canvas.setViewportSize({ width: 1_200, height: 600 });
  await canvas.setContent(
    `<body style="margin:0;height:600px;background:linear-gradient(120deg,hsl(${hue} 60% 70%),hsl(${hue + 40} 55% 45%))">`,
  );
  const buffer = await canvas.screenshot();
  await canvas.close();
  const response = await page.request.post(new URL('/uploads/image', page.url()).href, {
    headers: { 'x-project-id': projectId, origin: new URL(page.url()).origin },
    multipart: { image: { name, mimeType: 'image/png', buffer } },
  });
  if (!response.ok()) throw new Error(`${name}: ${await response.text()}`);
  return ((await response.json()) as { url: string }).url;
}
