import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** Evaluated rather than added as a script, which the content security policy of the page refuses. */
const engine = readFileSync(createRequire(import.meta.url).resolve('accessibility-checker-engine'), 'utf8');

/** Resolves when all colour transitions have finished. They begin with the next frame, so it waits for two frames first. */
const atRest = `new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))
  .then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  .then(() => undefined)`;

interface Finding {
  ruleId: string;
  /** the policy of the rule, and the certainty of the finding */
  value: [policy: string, outcome: string];
  message: string;
  snippet: string;
}

/** Definite violations of WCAG 2.2 level AA on the rendered page, contrast included, found by IBM's Equal Access engine. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(atRest);
  await page.evaluate(`${engine}\n;undefined`);
  const findings = await page.evaluate<Finding[]>(
    `new ace.Checker().check(document, ['WCAG_2_2']).then(({ results }) =>
       results.map(({ ruleId, value, message, snippet }) => ({ ruleId, value, message, snippet })))`,
  );
  return findings
    .filter(({ value: [policy, outcome] }) => policy === 'VIOLATION' && outcome === 'FAIL')
    .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet.slice(0, 200)}`);
}

/** Waits for the browser to apply the colour scheme; before that, a page can be half light and half dark. */
export async function wear(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction(`matchMedia('(prefers-color-scheme: ${colorScheme})').matches`);
}
