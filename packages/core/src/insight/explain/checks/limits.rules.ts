import { type Next, next } from './check.rules.ts';
import type { EmailFacts } from './facts.rules.ts';

/** What lets email go that the limits per contact put off or skip (behaviour B14.8). */
export const changeLimits = (text: string): Next => next('projects.update', text, { page: 'settings' });

/** Its template or campaign can be outside of them. */
export const exempt = ({
  templateId,
  campaignId,
}: Pick<EmailFacts['email'], 'templateId' | 'campaignId'>): Next => {
  const text = 'Or let what everybody must get be outside of the limits: exemptFromLimits';
  if (campaignId !== null)
    return next('campaigns.update', `${text}, in the next campaign`, { page: `campaigns/${campaignId}` });
  return templateId === null
    ? next('templates.update', `${text} of a template`, { page: 'templates' })
    : next('templates.update', text, { input: { id: templateId }, page: `templates/${templateId}` });
};
