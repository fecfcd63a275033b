import type { OwnFinding } from './finding.rules.ts';

/**
 * What inboxes show: a subject is needed, should not shout, and should be followed by a preheader.
 *
 * @param subject without Liquid, which has no case of its own
 */
export function checkSubject(subject: string, isEmpty: boolean): OwnFinding[] {
  const at = { field: 'subject', offset: null } as const;
  if (isEmpty)
    return [{ ...at, severity: 'error', text: 'The subject is empty; write what the email is about.' }];
  const findings: OwnFinding[] = [];
  if (isShouted(subject))
    findings.push({
      ...at,
      severity: 'warning',
      text: 'The subject is written in capitals, which spam filters distrust; write it as a sentence.',
    });
  if (/!\s*!/.test(subject) || subject.split('!').length > mostExclamations + 1)
    findings.push({
      ...at,
      severity: 'warning',
      text: 'The subject has many exclamation marks, which spam filters distrust; keep one at most.',
    });
  if (/^\s*(re|fwd?|aw|wg)\s*:/i.test(subject))
    findings.push({
      ...at,
      severity: 'warning',
      text: 'The subject begins like an answer or a forwarded email, which spam filters distrust; remove the prefix.',
    });
  return findings;
}

const mostExclamations = 1;
const fewLetters = 8;

/** Letters of scripts without capitals do not count. */
function isShouted(text: string): boolean {
  const letters = [...text].filter((letter) => letter.toLowerCase() !== letter.toUpperCase());
  return letters.length >= fewLetters && letters.every((letter) => letter === letter.toUpperCase());
}

export const checkPreheader = (preheader: string): OwnFinding[] =>
  preheader.trim() === ''
    ? [
        {
          field: 'preheader',
          offset: null,
          severity: 'hint',
          text: 'The preheader is empty, so inboxes show the first words of the email after the subject; write one.',
        },
      ]
    : [];
