import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const engine = createRequire(import.meta.url).resolve('accessibility-checker-engine');

/** A colour on its way to another is neither. Transitions begin with the next frame, so two are waited for first. */
const atRest = `new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))
  .then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  .then(() => undefined)`;

interface Finding {
  ruleId: string;
  /** What the rule belongs to, and how sure the engine is. */
  value: [policy: string, outcome: string];
  message: string;
  snippet: string;
}

/** What IBM's Equal Access engine is sure breaks WCAG 2.2 level AA on the page as it is shown, contrast included. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(atRest);
  await page.addScriptTag({ path: engine });
  const findings = await page.evaluate<Finding[]>(
    `new ace.Checker().check(document, ['WCAG_2_2']).then(({ results }) =>
       results.map(({ ruleId, value, message, snippet }) => ({ ruleId, value, message, snippet })))`,
  );
  return findings
    .filter(({ value: [policy, outcome] }) => policy === 'VIOLATION' && outcome === 'FAIL')
    .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet.slice(0, 200)}`);
}
