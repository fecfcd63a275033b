import { z } from 'zod';
import { brand, brandOf } from './brand.schema.ts';
import { consentSettingsOf } from './consent-settings.schema.ts';

/** What the public pages show of a project (behaviour B1.6). */
export const shownProject = z.object({
  name: z.string(),
  brand,
  privacyUrl: z.string().nullable(),
});

export type ShownProject = z.output<typeof shownProject>;

export const showProject = (row: { name: string; brand: unknown; consent: unknown }): ShownProject => ({
  name: row.name,
  brand: brandOf(row.brand),
  privacyUrl: consentSettingsOf(row.consent).privacyUrl,
});
