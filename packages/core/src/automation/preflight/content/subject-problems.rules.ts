import { isMasked } from './liquid-tags.rules.ts';
import type { Problem } from './problem.rules.ts';

/**
 * What inboxes show: a subject is needed, should not shout, and should be followed by a preheader.
 *
 * @param subject with its Liquid masked, which has no case of its own
 */
export function subjectProblems(subject: string): Problem<'subject_missing' | 'subject_style'>[] {
  const at = { field: 'subject', offset: null } as const;
  if (subject.trim() === '')
    return [
      { ...at, rule: 'subject_missing', message: 'The subject is empty; write what the email is about.' },
    ];
  const words = [...subject].filter((character) => !isMasked(character)).join('');
  const style = (message: string) => ({ ...at, rule: 'subject_style' as const, message });
  const problems: Problem<'subject_style'>[] = [];
  if (isShouted(words))
    problems.push(
      style('The subject is written in capitals, which spam filters distrust; write it as a sentence.'),
    );
  if (/!\s*!/.test(words) || words.split('!').length > mostExclamations + 1)
    problems.push(
      style('The subject has many exclamation marks, which spam filters distrust; keep one at most.'),
    );
  if (/^\s*(re|fwd?|aw|wg)\s*:/i.test(words))
    problems.push(
      style(
        'The subject begins like an answer or a forwarded email, which spam filters distrust; remove the prefix.',
      ),
    );
  return problems;
}

const mostExclamations = 1;
const fewLetters = 8;

/** Letters of scripts without capitals do not count. */
function isShouted(text: string): boolean {
  const letters = [...text].filter((letter) => letter.toLowerCase() !== letter.toUpperCase());
  return letters.length >= fewLetters && letters.every((letter) => letter === letter.toUpperCase());
}

export const preheaderProblems = (preheader: string): Problem<'preheader_missing'>[] =>
  preheader.trim() === ''
    ? [
        {
          rule: 'preheader_missing',
          field: 'preheader',
          offset: null,
          message:
            'The preheader is empty, so inboxes show the first words of the email after the subject; write one.',
        },
      ]
    : [];
