import type { Email } from '../../lib/api.ts';

/** Display names of the types of email. */
export const emailTypeNames: Readonly<Record<Email['type'], string>> = {
  MARKETING: 'Marketing',
  HEADLESS: 'Marketing, no footer',
  TRANSACTIONAL: 'Transactional',
};
