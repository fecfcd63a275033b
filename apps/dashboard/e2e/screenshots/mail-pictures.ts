import { join } from 'node:path';
import { compileDesign } from '@postrider/core/content/templates/contract';
import type { BrowserContext } from 'playwright-core';
import { pictureSvg, pictures, tenBlocks } from '../ten-blocks.ts';
import type { Picture } from './contact-sheet.ts';
import { call } from './worlds.ts';

/** A phone, and the reading pane of a desktop program. */
const widths = [375, 640];

interface MailShots {
  dashboard: string;
  projectId: string;
  out: string;
}

/** The email with every kind of block as its recipients see it: with preheader and footer, at two widths, light and dark. */
export async function photographMail(
  context: BrowserContext,
  { dashboard, projectId, out }: MailShots,
): Promise<Picture[]> {
  const page = await context.newPage();
  await page.goto(`${dashboard}/p/${projectId}`);
  const subject = 'Spring is here';
  const { html } = (await call(page, projectId, 'sending.previewContent', {
    subject,
    preheader: 'What to sow this week',
    body: compileDesign(tenBlocks, { subject, language: 'en' }),
    type: 'MARKETING',
    data: { name: 'Ada', plan: 'club' },
  })) as { html: string };
  await page.goto('about:blank');
  await page.route(`${pictures}**`, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: pictureSvg(route.request().url()) }),
  );
  const shots: Picture[] = [];
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.setContent(html);
      const file = `mail-${width}-${colorScheme}.png`;
      await page.screenshot({ path: join(out, file), fullPage: true });
      shots.push({ room: 'email', world: 'every block', look: `${width} ${colorScheme}`, file });
    }
  await page.close();
  return shots;
}
