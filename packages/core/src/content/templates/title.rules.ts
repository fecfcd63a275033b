import { escapeText } from './design/liquid.rules.ts';

/** The title that a body compiled from a design has (see `compileDesign`): its subject, for the tab of a browser and for screen readers. */
const titleOf = (subject: string): string => `<title>${escapeText(subject)}</title>`;

/** A body whose title is one subject, with another one as its title; a body without that title as it is. */
export const retitled = (body: string, from: string, to: string): string =>
  body.replace(titleOf(from), () => titleOf(to));
